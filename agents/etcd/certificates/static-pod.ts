import { jsonObject, readState } from "../../harness/state-file";
import { firstName, nextName } from "../member/image";

export interface AnnotatedPod {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
    readonly spec?: { readonly containers?: readonly { readonly image: string }[] };
}

/** The annotation of a member's pod that identifies its CAs. The first CAs have no annotation. */
export interface Annotation {
    readonly name: string;
    readonly value?: string;
}

/** @throws if the file is missing or damaged */
export function readStaticPod(path: string): AnnotatedPod {
    const pod = readState(path, jsonObject<AnnotatedPod>);
    if (pod?.metadata === undefined) {
        throw new Error(`${path} must be etcd's static pod (got none or a damaged file): tradewind status says more`);
    }
    return pod;
}

/** Whether a pod has the desired annotation for its member's CAs. */
export function hasAnnotation(pod: AnnotatedPod, { name, value }: Annotation): boolean {
    return pod.metadata.annotations?.[name] === value;
}

/**
 * The same pod with that annotation. It keeps its UID.
 *
 * With another UID it would be another pod to the kubelet, which waits until the API has dropped the old one before it
 * starts the new one: half a minute and more if that API depends on this very member (docs/faults.md).
 */
export function withAnnotation<T extends AnnotatedPod>(pod: T, { name, value }: Annotation): T {
    const { [name]: _, ...others } = pod.metadata.annotations ?? {};
    const annotations = { ...others, ...(value !== undefined && { [name]: value }) };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
}

/** The same pod, whose member the kubelet starts again at once: by another name of its image, if that has a digest. */
export function withRestart<T extends AnnotatedPod>(pod: T): T {
    const [etcd, ...others] = pod.spec?.containers ?? [];
    if (etcd === undefined) return pod;
    const image = nextName(firstName(etcd.image), etcd.image);
    return { ...pod, spec: { ...pod.spec, containers: [{ ...etcd, image }, ...others] } };
}
