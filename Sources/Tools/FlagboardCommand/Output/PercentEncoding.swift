extension String {
    /// Keeps ASCII letters, digits and some signs.
    ///
    /// Dots are not kept by default, since they could mean the parent folder.
    func percentEncoded(keeping signs: String = "-_") -> String {
        var result = ""
        for byte in utf8 {
            let sign = Character(Unicode.Scalar(byte))
            if sign.isASCII, sign.isLetter || sign.isNumber || signs.contains(sign) {
                result.append(sign)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%\(digits.count == 1 ? "0" : "")\(digits)"
            }
        }
        return result
    }
}
