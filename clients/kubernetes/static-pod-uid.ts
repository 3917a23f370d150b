import { createHash } from "node:crypto";

interface StaticPod {
    readonly metadata: object;
}

/**
 * A static pod with a UID that its contents make.
 *
 * Without one the kubelet makes it of the pod as it understands it: another version of it understands more, and so
 * would restart each static pod. And one that stayed the same over a change would hide the change from the kubelet.
 */
export function withUid<T extends StaticPod>(pod: T): T {
    const { uid: _, ...metadata } = pod.metadata as { uid?: string };
    const hash = createHash("sha256").update(JSON.stringify({ ...pod, metadata }));
    return { ...pod, metadata: { ...metadata, uid: hash.digest("hex").slice(0, 32) } };
}
