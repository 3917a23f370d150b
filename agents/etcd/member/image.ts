/**
 * Another name of the image of a member's container.
 *
 * To the kubelet it is another image: it ends the container and starts it again at once, without a back-off. For other
 * flags alone it does nothing; and it only notices that a container has ended up to a second later.
 *
 * The container runtime ignores the tag of a name with a digest.
 *
 * @param digest - `sha256:…` of the image, if its name has none
 * @returns the same name if there is no other
 */
export function otherName(image: string, digest?: string): string {
    const [, repository, v, tag] = /^(.+):(v?)([^:/@]+)@/.exec(image) ?? [];
    if (repository !== undefined) {
        return `${repository}:${v === "" ? "v" : ""}${tag}${image.slice(image.indexOf("@"))}`;
    }
    return digest === undefined || image.includes("@") ? image : `${image}@${digest}`;
}

/** Whether a running image is the desired one, under either name. */
export function isImage(running: string, desired: string): boolean {
    if (running === desired) return true;
    return desired.includes("@") ? running === otherName(desired) : running.startsWith(`${desired}@`);
}
