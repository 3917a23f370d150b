import { createHash } from "node:crypto";

interface StaticPod {
    readonly metadata: object;
}

/**
 * A static pod with a UID derived from its contents.
 *
 * Otherwise the kubelet derives the UID from the pod as it parses it: a newer kubelet understands more fields and would
 * restart every static pod. A fixed UID would hide changes from the kubelet.
 */
export function withUid<T extends StaticPod>(pod: T): T {
    const { uid: _, ...metadata } = pod.metadata as { uid?: string };
    const hash = createHash("sha256").update(JSON.stringify({ ...pod, metadata }));
    return { ...pod, metadata: { ...metadata, uid: hash.digest("hex").slice(0, 32) } };
}
