const mostCharacters = 300;

/** A login may be longer than what is shown. All of a large file would take minutes to search. */
const mostSearched = 6000;

/** A rejected value as an error may show it: it may be a URL with a login, or a key in the wrong place. */
export function shownValue(text: string): string {
    if (text.includes("PRIVATE KEY-----")) return "a private key";
    // The digest of an image also follows an @.
    const shown = text
        .slice(0, mostSearched)
        .replaceAll(/\/\/[^\s"]*@(?!sha256:)/g, "//...@")
        .replace(/^(?!.*\/\/)[^\s/@]+:[^\s"]*@(?!sha256:)/, "...@");
    return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters)}…` : shown;
}
