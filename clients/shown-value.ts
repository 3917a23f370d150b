const mostCharacters = 300;

/** A rejected value as an error may show it: it may be a URL with a login, or a key in the wrong place. */
export function shownValue(text: string): string {
    if (text.includes("PRIVATE KEY-----")) return "a private key";
    // The digest of an image also follows an @.
    const shown = text
        .replaceAll(/\/\/[^\s"]*@(?!sha256:)/g, "//...@")
        .replace(/^(?!.*\/\/)[^\s/@]+:[^\s"]*@(?!sha256:)/, "...@");
    return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters)}…` : shown;
}
