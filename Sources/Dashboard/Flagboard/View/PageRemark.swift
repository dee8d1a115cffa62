/// Something to know about the flag before changing it.
struct PageRemark: Hashable, PagePart {
    let heading: String
    let advice: String
}
