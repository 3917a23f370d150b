/** In a checkpoint that may run beside its parent: the machine starts it with the kubelet after every boot. */
export const bootMarker = "starts-at-boot";

/** A copy's file in the kubelet's directory. No namespace has a dot in its name. */
export function copyFileName(parent: string): string {
    return `checkpoint-${parent.replace("/", ".")}.json`;
}
