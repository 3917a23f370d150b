import type { Properties } from "../protocol/serve";

/** The provider's arguments. The SDK sends everything but strings as JSON text. */
export interface Config {
    /** YAML or JSON text, or a path; if absent, client-go's default. */
    readonly kubeconfig?: string;
    readonly context?: string;
    readonly cluster?: string;
    readonly namespace?: string;
    readonly upsertExistingObjects: boolean;
    readonly enableServerSideApply: boolean;
    readonly enableConfigMapMutable: boolean;
    readonly enableSecretMutable: boolean;
    readonly enablePatchForce: boolean;
    readonly deleteUnreachable: boolean;
    readonly skipUpdateUnreachable: boolean;
}

/** Reads the arguments; each switch has an environment variable that applies if the argument is missing. */
export function parseConfig(args: Properties, environment: NodeJS.ProcessEnv = process.env): Config {
    const isOn = (name: string, variable: string, byDefault = false) => {
        const value = args[name] ?? environment[`PULUMI_K8S_${variable}`];
        return value === undefined || value === "" ? byDefault : String(value) === "true";
    };
    return {
        kubeconfig: text(args.kubeconfig),
        context: text(args.context),
        cluster: text(args.cluster),
        namespace: text(args.namespace),
        upsertExistingObjects: isOn("upsertExistingObjects", "UPSERT_EXISTING_OBJECTS"),
        enableServerSideApply: isOn("enableServerSideApply", "ENABLE_SERVER_SIDE_APPLY", true),
        enableConfigMapMutable: isOn("enableConfigMapMutable", "ENABLE_CONFIGMAP_MUTABLE"),
        enableSecretMutable: isOn("enableSecretMutable", "ENABLE_SECRET_MUTABLE"),
        enablePatchForce: isOn("enablePatchForce", "ENABLE_PATCH_FORCE"),
        deleteUnreachable: isOn("deleteUnreachable", "DELETE_UNREACHABLE"),
        skipUpdateUnreachable: isOn("skipUpdateUnreachable", "SKIP_UPDATE_UNREACHABLE"),
    };
}

function text(value: unknown): string | undefined {
    if (value === undefined || value === null || value === "") return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
}
