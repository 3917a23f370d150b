import { gunzipSync } from "node:zlib";
import * as pulumi from "@pulumi/pulumi";
import { LocalCluster } from "../../components/local/cluster";
import type { Bundle } from "../../ignition";
import type { Log, Resource } from "../../simulator/plugin";
import { Secret } from "../../simulator/plugin";
import { certRequest } from "../../simulator/tls/cert-request-resource";
import { locallySignedCert } from "../../simulator/tls/locally-signed-cert";
import { privateKey } from "../../simulator/tls/private-key";
import { selfSignedCert } from "../../simulator/tls/self-signed-cert";
import { localDownloads } from "../../stacks/downloads";

/** What the `local` stack would boot a single controller with. */
export interface ControllerBoot {
    readonly node: string;
    /** Ignition. */
    readonly config: string;
    /** What starts the cluster there. */
    readonly assets: Bundle;
    readonly kubeconfig: string;
}

const TLS: Readonly<Record<string, Resource>> = {
    "tls:index/privateKey:PrivateKey": privateKey,
    "tls:index/certRequest:CertRequest": certRequest,
    "tls:index/selfSignedCert:SelfSignedCert": selfSignedCert,
    "tls:index/locallySignedCert:LocallySignedCert": locallySignedCert,
};

const COMMAND = "command:local:Command";

const silent = { debug() {}, info() {}, warn() {}, error() {}, status() {} } as unknown as Log;

/** What every command prints: a day for the bootstrap tokens' end, and nobody asks for the words of the others. */
const PRINTED = { stdout: new Date(Date.now() + 86_400_000).toISOString(), stderr: "" };

/**
 * Runs the stack's own component with an engine that makes nothing but keys and certificates, and takes what it hands
 * to `machine create` and `bootstrap run`: to the byte what `npm start` boots, without the time that the engine takes.
 */
export async function controllerBoot(cluster: string, machineCidr: string): Promise<ControllerBoot> {
    const node = `${cluster}-controller-0`;
    const wanted = [node, `${cluster}-bootstrap`];
    const inputsOf = new Promise<string[]>((resolve) => {
        const found = new Map<string, string>();
        pulumi.runtime.setMocks(
            {
                call: (call) => call.inputs,
                async newResource({ type, name, inputs: wrapped }) {
                    const inputs = mapValues(wrapped, pulumi.runtime.unwrapRpcSecret);
                    if (wanted.includes(name)) {
                        found.set(name, inputs.stdin as string);
                    }
                    if (found.size === wanted.length) {
                        resolve(wanted.map((each) => found.get(each)!));
                    }
                    const state = TLS[type] ? await create(TLS[type], { type, name, inputs }) : inputs;
                    return { id: name, state: type === COMMAND ? { ...state, ...PRINTED } : state };
                },
            },
            "tradewind",
            cluster,
        );
    });
    const { kubeconfig } = new LocalCluster(cluster, {
        machineCidr,
        downloads: localDownloads(cluster),
        network: { keepsConntrackLimits: true },
    });
    const text = new Promise<string>((resolve) => kubeconfig.apply(resolve));
    const [config, assets] = await inputsOf;
    return {
        node,
        config,
        assets: JSON.parse(gunzipSync(Buffer.from(assets, "base64")).toString()),
        kubeconfig: await text,
    };
}

type Made = { readonly type: string; readonly name: string; readonly inputs: Record<string, unknown> };

async function create(resource: Resource, made: Made): Promise<Record<string, unknown>> {
    const operation = { ...made, urn: made.name, log: silent, signal: new AbortController().signal };
    const { state } = await resource.create({ ...operation, secrets: new Set(), preview: false, timeout: 0 });
    return mapValues(state, (value) => (value instanceof Secret ? value.value : value));
}

function mapValues(values: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
