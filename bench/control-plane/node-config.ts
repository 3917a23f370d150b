import * as pulumi from "@pulumi/pulumi";
import { LocalCluster } from "../../components/local/cluster";
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
    /** Ignition, bootstrap assets included. */
    readonly config: string;
    readonly kubeconfig: string;
}

const TLS: Readonly<Record<string, Resource>> = {
    "tls:index/privateKey:PrivateKey": privateKey,
    "tls:index/certRequest:CertRequest": certRequest,
    "tls:index/selfSignedCert:SelfSignedCert": selfSignedCert,
    "tls:index/locallySignedCert:LocallySignedCert": locallySignedCert,
};

const silent = { debug() {}, info() {}, warn() {}, error() {}, status() {} } as unknown as Log;

/**
 * Runs the stack's own component with an engine that makes nothing but keys and certificates, and takes the config
 * that it hands to `machine create`: to the byte what `npm start` boots, without the time that the engine takes.
 */
export async function controllerBoot(cluster: string, machineCidr: string): Promise<ControllerBoot> {
    const node = `${cluster}-controller-0`;
    const config = new Promise<string>((resolve) => {
        pulumi.runtime.setMocks(
            {
                call: (call) => call.inputs,
                async newResource({ type, name, inputs: wrapped }) {
                    const inputs = mapValues(wrapped, pulumi.runtime.unwrapRpcSecret);
                    if (name === node) {
                        resolve(inputs.stdin as string);
                    }
                    return { id: name, state: TLS[type] ? await create(TLS[type], { type, name, inputs }) : inputs };
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
    return { node, config: await config, kubeconfig: await text };
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
