/** The number in the name of a member's image, if it is not the first. */
const number = /-r(\d+)(?=@)/;

/**
 * The desired image of a member that runs it already, under another name than the current one's:
 * `quay.io/coreos/etcd:v3.6.8-r2@sha256:…`. The container runtime ignores the tag of a name with a digest.
 *
 * To the kubelet it is another image: it ends the container and starts it again at once, without a back-off. For other
 * flags alone it does nothing, and it notices up to a second later that a container has ended.
 *
 * @param digest - of the image, if no name has it: `sha256:…`
 * @returns the desired name if no digest is known
 */
export function nextName(desired: string, current: string, digest?: string): string {
    const [name, pinned = current.split("@")[1] ?? digest] = desired.split("@");
    return pinned === undefined ? desired : `${name}-r${Number(number.exec(current)?.[1] ?? 1) + 1}@${pinned}`;
}

/** The name without a number. */
export function firstName(image: string): string {
    return image.replace(number, "");
}

/** Whether a running image is the desired one, under any name. */
export function isImage(running: string, desired: string): boolean {
    const first = firstName(running);
    return first === desired || (!desired.includes("@") && first.startsWith(`${desired}@`));
}
