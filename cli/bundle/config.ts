import { basename } from "node:path";
import { checkShape, type Schema } from "../../cluster/check-shape";
import type { CloudDownloads, CloudMachineDownloads } from "../../cluster/cloud-downloads";
import { cloudNames } from "../../cluster/clouds";
import type { OwnImages } from "../../cluster/options";
import { UsageError } from "../../command-line/parse";
import type { CloudImages } from "../../versions/cloud-images";
import { readStackConfig, stackFilesIn } from "../updates/stack-file";

/** The keys of a stack that decide which images and files its machines need. */
export interface BundleConfig {
    /** @default local */
    readonly cloud?: string;
    readonly kubernetesVersion?: string;
    readonly etcdVersion?: string;
    readonly images?: Partial<OwnImages>;
    readonly imageDigests?: boolean;
    readonly cloudImages?: Partial<CloudImages>;
    readonly downloads?: CloudDownloads & { readonly arm64?: CloudMachineDownloads };
    readonly selfHosted?: { readonly kubelet?: boolean };
    readonly ecrPulls?: boolean;
}

const text: Schema = { type: "string" };
const texts: Schema = { type: "object", additionalProperties: text };
const flag: Schema = { type: "boolean" };
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: "object", properties });
const file = object({ sha256: { type: "string", format: "sha256" } });
const machine = {
    kubelet: file,
    otherKubelets: { type: "object", additionalProperties: file },
    cniPlugins: file,
    containerRuntime: object({ containerd: file, runc: file }),
} as const satisfies Record<string, Schema>;

const schema = object({
    cloud: { enum: ["local", ...cloudNames] },
    kubernetesVersion: text,
    etcdVersion: text,
    images: texts,
    imageDigests: flag,
    cloudImages: texts,
    downloads: object({ ...machine, arm64: object(machine) }),
    selfHosted: object({ kubelet: flag }),
    ecrPulls: flag,
});

/** Reads the keys from a `Pulumi.<stack>.yaml`. @param file - @default the only one of the Pulumi project in the folder */
export function readBundleConfig(file: string | undefined, folder: string): BundleConfig {
    const path = file ?? onlyFileIn(folder);
    const own = Object.entries(readStackConfig(path).config).map(([key, each]) => [
        key.replace(/^tradewind:/, ""),
        each,
    ]);
    const { value, errors } = checkShape(schema, known(schema, Object.fromEntries(own)), { prefix: "tradewind:" });
    if (errors.length > 0) throw new UsageError(`${path}: ${errors.join("\n")}`);
    return value as BundleConfig;
}

/** Without the keys that a bundle does not depend on: the stack checks them. */
function known({ properties, additionalProperties }: Schema, value: unknown): unknown {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
        Object.entries(value).flatMap(([key, each]) => {
            const own = properties?.[key] ?? additionalProperties;
            return own ? [[key, known(own, each)]] : [];
        }),
    );
}

function onlyFileIn(folder: string): string {
    const files = stackFilesIn(folder);
    const [first, second] = files;
    if (first === undefined || second !== undefined) {
        const names = files.map((file) => basename(file)).join(", ") || "none";
        throw new UsageError(`FILE is required: a stack's configuration (in this folder: ${names})`);
    }
    return first;
}
