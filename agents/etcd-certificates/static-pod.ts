import { withUid } from "../common/static-pod-uid";

interface StaticPod {
    readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** When the authorities were written that the member is started anew for: the same ones again are another pod. */
const sinceAnnotation = "tradewind.dev/etcd-ca-since";

/** Whether a static pod says of its member's authorities what it is to say. */
export function tells(pod: StaticPod, { name, value }: { readonly name: string; readonly value?: string }): boolean {
    return pod.metadata.annotations?.[name] === value;
}

/** The same pod, started anew for authorities that were written at `since`. Unit: milliseconds since 1970. */
export function startedFor<T extends StaticPod>(
    pod: T,
    annotation: { readonly name: string; readonly value?: string },
    since: number,
): T {
    const { [annotation.name]: _, [sinceAnnotation]: __, ...others } = pod.metadata.annotations ?? {};
    const annotations = {
        ...others,
        ...(annotation.value !== undefined && { [annotation.name]: annotation.value }),
        [sinceAnnotation]: new Date(since).toISOString(),
    };
    return withUid({ ...pod, metadata: { ...pod.metadata, annotations } });
}
