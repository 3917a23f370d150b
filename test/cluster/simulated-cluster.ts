import { join } from "node:path";
import { ensure } from "../../artifacts";
import { ask } from "../../clients/http";
import { writePrivate } from "../../command-line/private-file";
import type { Download } from "../../index";
import { waitUntilReady } from "../../local/ready";
import { ensureStack } from "../../local/stack";
import { type StackConfig, writeConfig } from "../../local/stack-config";
import { clusterState, createState, stateRoot } from "../../local/state";
import { pickSubnet } from "../../machines";
import { type ContainerdVersion, type KubernetesVersion, versions } from "../../versions";
import { images } from "../../versions/images";
import { recordWhatIsMet } from "../met";
import { type Output, TestCluster } from "./cluster";
import {
    credentialProviderFor,
    kubeletFor,
    runtimeFor,
    simulatedDomain,
    whatContainersNeed,
} from "./simulated-internet";

/** A simulated cloud, as far as tests of clusters need it. */
export interface SimulatedCloud<Account> {
    /** Name of the stack: `aws`. */
    readonly cloud: string;
    /** The account in a file. */
    account(path: string): Account;
    /** Creates the file of an account that only contains what its owner has. */
    open(path: string): void;
    /** Configuration keys that a stack there needs, with or without a namespace. */
    readonly config: StackConfig;
    /** An administrator's kubeconfig that works on the host. */
    usable(kubeconfig: string, account: Account): string;
}

/**
 * A kubeconfig with the address behind the API's name, if one is known.
 *
 * Pulumi's programs resolve the API's name; kubectl needs its address.
 */
export function atAddress(kubeconfig: string, addressOf: (host: string) => string | undefined): string {
    const config = JSON.parse(kubeconfig);
    const { cluster } = config.clusters[0];
    const { hostname, port } = new URL(cluster.server);
    const address = addressOf(hostname);
    if (!address) return kubeconfig;
    const reached = { ...cluster, server: `https://${address}:${port}`, "tls-server-name": hostname };
    return JSON.stringify({ ...config, clusters: [{ ...config.clusters[0], cluster: reached }] });
}

/** Keys of a stack's configuration, of Tradewind unless they have another namespace. */
export function qualified(config: StackConfig): StackConfig {
    const all = Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `tradewind:${key}`, value]);
    return Object.fromEntries(all);
}

const saysHello = 'require("http").createServer((_, answer) => answer.end("hello"))';

/** Answers with the client's address in the header of the proxy protocol (version 2), without which it closes connections. */
export const saysClient = `require("net").createServer((socket) => {
    let all = Buffer.alloc(0);
    socket.on("error", () => {}).on("data", (some) => {
        all = Buffer.concat([all, some]);
        if (all.length < 16) return;
        if (all.toString("hex", 0, 12) !== "0d0a0d0a000d0a515549540a") return socket.destroy();
        const request = 16 + all.readUInt16BE(14);
        if (all.indexOf("\\r\\n\\r\\n", request) < 0) return;
        const client = all.subarray(16, 20).join(".");
        socket.end("HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: " + client.length + "\\r\\n\\r\\n" + client);
    });
})`;

/** A cluster on a simulated cloud: its own account, and the stack as used by users. */
export class SimulatedCluster<Account> extends TestCluster {
    readonly account: Account;

    constructor(
        name: string,
        private readonly of: SimulatedCloud<Account>,
    ) {
        const path = join(stateRoot(), name, `${of.cloud}.json`);
        super(name, { TRADEWIND_SIMULATED_ACCOUNT: path });
        this.account = of.account(path);
    }

    /**
     * Creates the account and the stack.
     *
     * @param config - by the VPC's block
     * @param kubernetesVersion - @default - the newest
     */
    async prepare(
        config: (vpcCidr: string) => StackConfig,
        kubernetesVersion: KubernetesVersion = versions.kubernetes,
    ): Promise<void> {
        recordWhatIsMet();
        const state = createState(this.name);
        this.of.open(this.env.TRADEWIND_SIMULATED_ACCOUNT!);
        const vpcCidr = await pickSubnet(this.name, ["10.2.0.0/16", "10.3.0.0/16"]);
        const keys = { cloud: this.of.cloud, domain: simulatedDomain, vpcCidr, ...this.of.config, ...config(vpcCidr) };
        const all = { ...keys, kubernetesVersion, ...whatContainersNeed(this.name, kubernetesVersion) };
        writeConfig(state.config, qualified(all));
        await ensureStack(state);
    }

    /** Configures another Kubernetes version. @param sha256 - of the kubelet. @default - that of the version */
    async setVersion(version: KubernetesVersion, sha256 = this.kubelet(version).sha256): Promise<void> {
        const values = {
            kubernetesVersion: version,
            "downloads.kubelet.urls[0]": this.kubelet(version).urls[0],
            "downloads.kubelet.sha256": sha256,
        };
        const pairs = Object.entries(values).flatMap(([path, value]) => ["--plaintext", `tradewind:${path}=${value}`]);
        await this.pulumi("config", "set-all", "--path", ...pairs);
    }

    /** Makes its machines fetch containerd and runc, which their image lacks. @param version - of containerd */
    async fetchRuntime(version?: ContainerdVersion): Promise<void> {
        const pairs = Object.entries(runtimeFor(this.name, version)).flatMap(([program, { urls, sha256 }]) => {
            const path = `tradewind:downloads.containerRuntime.${program}`;
            return ["--plaintext", `${path}.urls[0]=${urls[0]}`, "--plaintext", `${path}.sha256=${sha256}`];
        });
        await this.pulumi("config", "set-all", "--path", ...pairs);
    }

    /** Makes its machines fetch the kubelet's credential provider for ECR from the network's mirror. */
    async fetchCredentialProvider(): Promise<void> {
        await ensure({ only: ["ecr-credential-provider"], say: () => {} });
        const { urls, sha256 } = credentialProviderFor(this.name);
        const path = "tradewind:downloads.ecrCredentialProvider";
        const pairs = ["--plaintext", `${path}.urls[0]=${urls[0]}`, "--plaintext", `${path}.sha256=${sha256}`];
        await this.pulumi("config", "set-all", "--path", ...pairs, "--plaintext", "tradewind:ecrPulls=true");
    }

    /** The kubelet of a version, on the network's mirror. */
    kubelet(version: KubernetesVersion): Download {
        return kubeletFor(this.name, version);
    }

    /**
     * Serves over HTTP on a port of a node, like an ingress controller.
     *
     * @param server - expression of a server of Node.js
     */
    async serve(node: string, port: number, server = saysHello): Promise<void> {
        const program = `${server}.listen(${port})`;
        const containers = [{ name: "hello", image: images.node, command: ["node", "-e", program] }];
        const spec = { nodeName: node, hostNetwork: true, terminationGracePeriodSeconds: 0, containers };
        const level = "pod-security.kubernetes.io/enforce=privileged";
        await this.kubectl("label", "namespace", "default", level, "--overwrite");
        await this.apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "hello" }, spec });
    }

    /**
     * A load balancer's HTTP response, from `serve` or an error. Not with `fetch`: with Node 20's, a response never
     * arrived on a busy host, with no connection left.
     */
    async served(address: string): Promise<string> {
        return (await ask(`http://${address}/`, {}, 3_000)).text;
    }

    up(...args: string[]): Promise<Output> {
        return this.pulumi("up", "--yes", "--skip-preview", "--non-interactive", ...args);
    }

    /** The URN of a resource of the stack. */
    async urn(type: string, name: string): Promise<string> {
        const { stdout } = await this.pulumi("stack", "export");
        const resources: { urn: string; type: string }[] = JSON.parse(stdout).deployment.resources;
        return resources.find((each) => each.type === type && each.urn.endsWith(`::${name}`))!.urn;
    }

    override async destroy(): Promise<Output> {
        return this.pulumi("destroy", "--yes", "--skip-preview", "--non-interactive");
    }

    /**
     * Waits until every node and every pod is Ready, through the load balancer.
     *
     * @param others - names of nodes that the stack does not choose
     */
    async ready(others: readonly string[] = []): Promise<void> {
        const outputs = JSON.parse((await this.pulumi("stack", "output", "--json", "--show-secrets")).stdout);
        writePrivate(this.kubeconfig, this.of.usable(outputs.kubeconfig, this.account));
        const { kubeconfig } = clusterState(this.name);
        await waitUntilReady({ kubeconfig }, [...outputs.nodes, ...others], () => {});
    }
}
