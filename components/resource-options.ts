import type * as pulumi from "@pulumi/pulumi";
import { plainError } from "./pulumi/errors";

/**
 * Options that Pulumi accepts for a component, but passes to no resource in it. The others reach them: `protect`,
 * `provider`, `retainOnDelete` and `deletedWith` are inherited, `parent`, `dependsOn`, `aliases` and hooks concern the
 * component itself. Source: Pulumi's `inheritFromParent` and its comment on component resources, 3.245.
 */
const withoutEffect = [
    "additionalSecretOutputs",
    "customTimeouts",
    "deleteBeforeReplace",
    "envVarMappings",
    "hideDiffs",
    "ignoreChanges",
    "import",
    "replaceOnChanges",
    "replaceWith",
    "replacementTrigger",
] as const satisfies readonly (keyof pulumi.CustomResourceOptions)[];

/** @throws if a resource option of a cluster would be ignored */
export function requireEffect(opts: pulumi.CustomResourceOptions = {}): void {
    const lost = withoutEffect.filter((option) => isSet(opts[option]));
    if (lost.length === 0) return;
    const [verb, object] = lost.length === 1 ? ["reaches", "it"] : ["reach", "them"];
    throw plainError(
        `${lost.join(", ")} of a cluster ${verb} none of its resources: ` +
            `set ${object} on the resources that you mean with transforms (docs/package.md#change-any-resource)`,
    );
}

/** Whether an option is set to anything. A program in another language passes empty ones too. */
function isSet(value: unknown): boolean {
    if (Array.isArray(value)) return value.length > 0;
    if (typeof value === "object" && value !== null) return Object.values(value).some(Boolean);
    return Boolean(value);
}
