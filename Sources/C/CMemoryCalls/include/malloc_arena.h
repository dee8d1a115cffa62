/// Has all threads take memory from one arena, where glibc would give each thread one, which alone takes up again what it gave
/// out; other C libraries have none.
///
/// Swift's C library modules leave out `mallopt`.
///
/// @return Whether that is so from now on.
int flagboard_share_arena(void);
