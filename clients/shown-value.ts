const mostCharacters = 300;

/** How much is searched for logins: all of a large file would take minutes. */
const mostSearched = 6000;

/** A rejected value as an error may show it: it may be a URL with a login, or a key in the wrong place. */
export function shownValue(text: string): string {
    if (text.includes("PRIVATE KEY-----")) return "a private key";
    // What is cut off may be the end of a login.
    const searched = text.length > mostSearched ? `${text.slice(0, mostSearched)}@` : text;
    // The digest of an image also follows an @.
    const shown = searched
        .replaceAll(/\/\/[^\s"]*@(?!sha256:)/g, "//...@")
        .replace(/^(?!.*\/\/)[^\s/@]+:[^\s"]*@(?!sha256:)/, "...@");
    return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters)}…` : shown;
}

/** A value as JSON, in which numbers that JSON lacks, such as NaN, have their names. Undefined for what is no data. */
export function jsonText(value: unknown): string | undefined {
    const isOther = (each: unknown) => typeof each === "bigint" || (typeof each === "number" && !Number.isFinite(each));
    if (isOther(value)) return String(value);
    return JSON.stringify(value, (_, each) => (isOther(each) ? String(each) : each));
}
