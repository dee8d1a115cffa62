"""A sample of the attacks of Tests/Torture, whose whole is run by script/torture."""

import cross_site
import http_attacks
import injection
import pytest
import slow_connections
import wire_attacks


def check(rows):
    """Nothing got through, and something was tried."""
    print(*rows, sep="\n")
    assert rows and all(row.tried for row in rows)
    assert [str(row) for row in rows if row.through] == []


def test_what_is_no_sound_request_is_refused_and_changes_nothing(shop):
    check(wire_attacks.run(shop))


@pytest.mark.parametrize(
    "attacks, every",
    [
        (http_attacks.hosts, 5),
        (http_attacks.headers, 7),
        (http_attacks.paths, 13),
        (http_attacks.splitting, 3),
        (http_attacks.spreadsheets, 5),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_sound_request_with_bad_intent_is_refused(demo, attacks, every):
    check(attacks(demo, every))


def test_a_page_of_another_origin_changes_reads_and_frames_nothing(demo, browser):
    check(cross_site.run(browser, demo, 4))


def test_no_text_becomes_markup_or_script(demo, browser, tmp_path):
    check(injection.run(browser, demo, tmp_path, 100))


def test_an_honest_client_is_answered_beside_more_slow_ones_than_there_may_be():
    figures = slow_connections.measure(connections=300, seconds=3)
    print(figures)
    assert figures["failed"] == 0
    assert figures["most sockets open"] >= 256
