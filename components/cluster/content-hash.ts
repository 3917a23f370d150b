import { createHash } from "node:crypto";

/** Changes with the content; put on a pod template so that a new config rolls the pods. */
export function contentHash(content: unknown): string {
    return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
}
