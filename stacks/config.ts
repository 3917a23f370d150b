import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { configErrors } from "./config-errors";

const labels = z.record(z.string(), z.string());
// Pulumi writes `2` and `true` as a number and a boolean; a command line has neither.
const args = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const snippets = z.array(z.string());

const pool = z.strictObject({
    name: z.string(),
    count: z.int().optional(),
    labels: labels.optional(),
    taints: z.array(z.string()).optional(),
    snippets: snippets.optional(),
});

/** Every key of the stack's configuration that all clouds share; `tradewind:<key>`. */
const shared = {
    cloud: z.string().default("local"),
    domain: z.string().optional(),
    kubernetesVersion: z.string().optional(),
    controllers: z
        .union([
            z.int(),
            z.strictObject({
                count: z.int().optional(),
                labels: labels.optional(),
                isSchedulable: z.boolean().optional(),
                snippets: snippets.optional(),
            }),
        ])
        .optional()
        .transform((value) => (typeof value === "number" ? { count: value } : value)),
    pools: z.array(pool).optional(),
    podCidr: z.string().optional(),
    serviceCidr: z.string().optional(),
    clusterDomain: z.string().optional(),
    kubeProxyMode: z.string().optional(),
    rolloutTimeout: z.string().optional(),
    components: z
        .strictObject({
            kubeApiserver: args.optional(),
            kubeControllerManager: args.optional(),
            kubeScheduler: args.optional(),
            kubelet: args.optional(),
            etcd: args.optional(),
        })
        .optional(),
    etcdSnapshots: z
        .strictObject({
            interval: z.string().optional(),
            keep: z.int().optional(),
            maxAge: z.string().optional(),
            directory: z.string().optional(),
            s3: z
                .strictObject({
                    endpoint: z.string(),
                    bucket: z.string(),
                    region: z.string().optional(),
                    prefix: z.string().optional(),
                    accessKeyId: z.string(),
                    secretAccessKey: z.string(),
                    encryptionKey: z.string().optional(),
                })
                .optional(),
        })
        .optional(),
};

/** The configuration of a local stack. */
export const localConfig = z.strictObject({
    ...shared,
    machineSubnet: z.string(),
    os: z.string().optional(),
    keepsConntrackLimits: z.boolean().default(true),
});

export type LocalConfig = z.infer<typeof localConfig>;

/** Which cloud the stack is for. */
export function cloud<T extends string>(known: readonly T[]): T {
    const value = new pulumi.Config("tradewind").get("cloud") ?? "local";
    if (!known.includes(value as T)) {
        throw new pulumi.RunError(`tradewind:cloud must be one of ${known.join(", ")}, got ${value}`);
    }
    return value as T;
}

export function readLocalConfig(): LocalConfig {
    return check(localConfig, readAll("tradewind"));
}

/** Every value of a namespace, with JSON and numbers decoded: an unknown key must not go unnoticed. */
function readAll(namespace: string): Record<string, unknown> {
    const config = new pulumi.Config(namespace);
    const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(`${namespace}:`));
    return Object.fromEntries(
        keys.map((key) => {
            const name = key.slice(namespace.length + 1);
            const text = config.require(name);
            return [name, /^([[{]|-?\d+$|true$|false$)/.test(text) ? JSON.parse(text) : text];
        }),
    );
}

function check<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
    const result = schema.safeParse(value);
    if (!result.success) {
        throw new pulumi.RunError(configErrors(result.error.issues, value).join("\n"));
    }
    return result.data;
}
