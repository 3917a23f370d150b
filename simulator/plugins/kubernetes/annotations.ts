import type { KubernetesObject } from "./object";

/** Annotations that control the provider per object. */
export const annotation = {
    autonamed: "pulumi.com/autonamed",
    deletionPropagation: "pulumi.com/deletionPropagationPolicy",
    patchFieldManager: "pulumi.com/patchFieldManager",
    patchForce: "pulumi.com/patchForce",
    skipAwait: "pulumi.com/skipAwait",
    timeoutSeconds: "pulumi.com/timeoutSeconds",
    waitFor: "pulumi.com/waitFor",
} as const;

export function annotationOf(object: KubernetesObject, name: keyof typeof annotation): string | undefined {
    return object.metadata?.annotations?.[annotation[name]];
}

export function isAnnotated(object: KubernetesObject, name: keyof typeof annotation): boolean {
    return annotationOf(object, name) === "true";
}

/** How long to wait for an object, in seconds: `customTimeouts`, else its annotation, else the default of its kind. */
export function timeoutOf(object: KubernetesObject, customTimeout: number, byDefault: number): number {
    if (customTimeout > 0) return customTimeout;
    const text = annotationOf(object, "timeoutSeconds");
    return text && /^\d+$/.test(text) ? Number(text) : byDefault;
}

/** What happens to an object's dependents when it is deleted. @default Foreground */
export function propagationOf(object: KubernetesObject): "Foreground" | "Background" | "Orphan" {
    const policies = { background: "Background", orphan: "Orphan" } as const;
    const propagation = annotationOf(object, "deletionPropagation")?.toLowerCase();
    return policies[propagation as keyof typeof policies] ?? "Foreground";
}
