export interface AnnotatedPod {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** What a member's pod says of its authorities; the first ones do without. */
export interface Annotation {
    readonly name: string;
    readonly value?: string;
}

/** Whether a pod says of its member's authorities what it is to say. */
export function tells(pod: AnnotatedPod, { name, value }: Annotation): boolean {
    return pod.metadata.annotations?.[name] === value;
}

/**
 * The same pod with that said. It keeps its UID.
 *
 * With another UID it would be another pod to the kubelet, which waits for the API to forget the old one before it starts
 * the new one: half a minute and more where that API asks this very member (docs/faults.md).
 */
export function telling<T extends AnnotatedPod>(pod: T, { name, value }: Annotation): T {
    const { [name]: _, ...others } = pod.metadata.annotations ?? {};
    const annotations = { ...others, ...(value !== undefined && { [name]: value }) };
    return { ...pod, metadata: { ...pod.metadata, annotations } };
}
