import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";

/** A stack's configuration, where the SDKs read it. */
export function sdkConfig(request: RunRequest): Record<string, string> {
    // They read `<namespace>:config:<name>` in every version.
    const config = request
        .getConfigMap()
        .toArray()
        .map(([key, value]) => [key.replace(":", ":config:"), value]);
    return {
        PULUMI_CONFIG: JSON.stringify(Object.fromEntries(config)),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    };
}
