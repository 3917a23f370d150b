/** RFC 3339 as people read it: `2026-11-21 05:55:01 UTC`. */
export function shortTime(at: string): string {
    return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
