/** Where official releases come from, and what they must be: tests serve their own. */
export interface Sites {
    /** The URL under which an official one is fetched. */
    url(official: string): string;
    /** The name under which Docker pulls an official image. */
    image(official: string): string;
    /** The SHA-256 that a URL's file or an image must have. @param pinned - the lock's; undefined if it has none */
    sha256(official: string, pinned: string | undefined): string | undefined;
}

export const officialSites: Sites = {
    url: (official) => official,
    image: (official) => official,
    sha256: (_, pinned) => pinned,
};
