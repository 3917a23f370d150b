import { requireOneOf } from "./validate";

/** Annotation of kube-apiserver's pods with the generation of defaults, unless it is the first. */
export const defaultsAnnotation = "tradewind.dev/defaults";

/** Generations of defaults: 1 is that of releases before secure defaults, 2 has them. */
const generations = [1, 2] as const;

export type DefaultsGeneration = (typeof generations)[number];

const newest: DefaultsGeneration = 2;

/** Which defaults apply, and whether the configuration says so. */
export interface Defaults {
    readonly generation: DefaultsGeneration;
    readonly isSet: boolean;
}

/** Throws `defaults must be <legal>, got <value>`. */
export function resolveDefaults(generation: number | undefined): Defaults {
    return { generation: requireOneOf("defaults", generations, generation ?? newest), isSet: generation !== undefined };
}

/** Whether options that are not set have secure defaults. */
export function isSecureByDefault({ generation }: Defaults): boolean {
    return generation >= 2;
}

/** Annotations for kube-apiserver's pods. */
export function defaultsAnnotations({ generation }: Defaults): Record<string, string> {
    return generation === 1 ? {} : { [defaultsAnnotation]: String(generation) };
}

/**
 * Why an existing cluster cannot have these defaults yet: it would get them without anyone having asked.
 *
 * @param running - annotations of kube-apiserver's pods
 */
export function defaultsProblem(
    { generation, isSet }: Defaults,
    running: Readonly<Record<string, string>> = {},
): string | undefined {
    const current = Number(running[defaultsAnnotation] ?? 1);
    if (isSet || generation === current) return undefined;
    return (
        `defaults must be set, because this cluster has those of generation ${current} and new clusters have ` +
        `${generation}: set defaults to ${current} to keep them, or to ${generation} to preview the change ` +
        "(docs/secure-defaults.md)"
    );
}
