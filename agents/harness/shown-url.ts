/** A URL for logs and Events: without its user, password and query, which may hold a signature. */
export function shownUrl(url: string): string {
    return url.replace(/:\/\/[^/?#]*@/, "://").replace(/\?.*$/s, "?…");
}
