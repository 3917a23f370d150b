import { stringify } from "yaml";
import type { Caller } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import { Discovery } from "../../clients/kubernetes/discovery";
import { type Fields, type Metadata, type Typed, titleOf } from "../../clients/kubernetes/objects";
import { SECRET, UNKNOWN } from "../preview/differences";
import { type Export, plain } from "../reach/stack-record";

/** An object of any kind. */
export type Manifest = Typed & Fields;

/** Type and values of a Pulumi resource. */
export interface Resource {
    readonly type: string;
    readonly values?: unknown;
}

/** The objects that a stack has among its resources. */
export function manifestsOf(resources: readonly Resource[]): Manifest[] {
    return resources.flatMap(({ type, values }) => {
        const object = values as Manifest | undefined;
        return type.startsWith("kubernetes:") && object?.kind && object.metadata?.name ? [object] : [];
    });
}

/** The objects as the last `up` applied them. @param state - reads the state */
export async function appliedManifests(state: () => Promise<Export>): Promise<Manifest[]> {
    const all = (await state()).deployment?.resources ?? [];
    const current = all.filter((resource) => resource.delete !== true);
    return manifestsOf(current.map(({ type, inputs }) => ({ type, values: plain(inputs) })));
}

/** The same objects as the API has them; those that it does not have are left out. */
export async function liveManifests(api: Caller, manifests: readonly Manifest[]): Promise<Manifest[]> {
    const discovery = new Discovery(api);
    const found = await Promise.all(
        manifests.map(async (each) => ifFound(api.call<Manifest>(await discovery.path(each)))),
    );
    return found.flatMap((object, index) => {
        const { apiVersion, kind } = manifests[index]!;
        return object ? [{ ...object, apiVersion, kind }] : [];
    });
}

/** Whether it is removed once it has ended. */
export function isPassing({ kind }: Manifest): boolean {
    return kind === "Job";
}

/** The same object in another version. One without a namespace may be in the default one. */
export function find(
    all: readonly Manifest[],
    { kind, metadata: { name, namespace } }: Manifest,
): Manifest | undefined {
    const isSame = ({ kind: its, metadata }: Manifest) =>
        its === kind && metadata.name === name && (namespace ?? metadata.namespace) === metadata.namespace;
    return all.find(isSame);
}

/** A note about the stack's objects that someone deleted. */
export function missingFrom(live: readonly Manifest[], applied: readonly Manifest[]): string[] {
    const missing = applied.filter((each) => !find(live, each) && !isPassing(each)).map(titleOf);
    return missing.length > 0 ? [`not in the cluster: ${missing.sort().join(", ")}`] : [];
}

/** Fields that the API server or controllers set. */
const maintained = [
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];
const maintainedAnnotation =
    /^(pulumi\.com\/|kubectl\.kubernetes\.io\/last-applied|deprecated\.daemonset\.|deployment\.kubernetes\.io\/revision)/;

/** One YAML document per object, sorted, without Secrets; `notes` says what is missing. */
export function render(manifests: readonly Manifest[]): { readonly yaml: string; readonly notes: readonly string[] } {
    const [secrets, shown] = [manifests.filter(isSecret), manifests.filter((each) => !isSecret(each))];
    const sorted = [...shown].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    const documents = sorted.map(
        (each) => `---\n${stringify(cleaned(each), { lineWidth: 0, aliasDuplicateObjects: false })}`,
    );
    const unknown = sorted.filter((each) => has(each, UNKNOWN)).map(titleOf);
    const hidden = sorted.filter((each) => has(each, SECRET)).map(titleOf);
    const notes = [
        ...(secrets.length > 0 ? [`left out: ${secrets.map(titleOf).sort().join(", ")}`] : []),
        ...(unknown.length > 0 ? [`with values that are known after up: ${unknown.join(", ")}`] : []),
        ...(hidden.length > 0 ? [`with values that are secret: ${hidden.join(", ")}`] : []),
    ];
    return { yaml: documents.join(""), notes };
}

function isSecret({ kind, apiVersion }: Manifest): boolean {
    return kind === "Secret" && apiVersion === "v1";
}

function keyOf({ apiVersion, kind, metadata: { namespace = "", name } }: Manifest): string {
    return [kind, apiVersion, namespace, name].join("\0");
}

function cleaned({ apiVersion, kind, metadata, status: _, ...rest }: Manifest): Fields {
    const { annotations = {}, ...others } = metadata as Metadata & Fields;
    const kept = Object.entries(annotations as Fields).filter(([name]) => !maintainedAnnotation.test(name));
    const own = Object.entries(others).filter(([name]) => !maintained.includes(name));
    return {
        apiVersion,
        kind,
        metadata: { ...Object.fromEntries(own), ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) },
        ...rest,
    };
}

function has(value: unknown, placeholder: string): boolean {
    if (typeof value === "string") return value.includes(placeholder);
    return typeof value === "object" && value !== null && Object.values(value).some((each) => has(each, placeholder));
}
