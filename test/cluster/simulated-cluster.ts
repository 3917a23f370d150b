import { join } from "node:path";
import { fileIndex } from "../../artifacts/file-index";
import { versions } from "../../artifacts/lock";
import { writePrivate } from "../../cli/private-file";
import { waitUntilReady } from "../../cli/ready";
import { ensureStack } from "../../cli/stack";
import { type StackConfig, writeConfig } from "../../cli/stack-config";
import { clusterState, createState, stateRoot } from "../../cli/state";
import { pickSubnet } from "../../machines";
import { Account } from "../../simulator/digitalocean/account";
import { kubectlPath, type Output, TestCluster } from "./cluster";

const domain = "tradewind.test";
const image = 170_000_001;
const sshKey = 42;

/** A cluster on a simulated DigitalOcean: an account of its own, and the stack as a user has it. */
export class SimulatedCluster extends TestCluster {
    readonly account: Account;

    constructor(name: string) {
        const path = join(stateRoot(), name, "digitalocean.json");
        super(name, { TRADEWIND_SIMULATED_ACCOUNT: path });
        this.account = new Account(path);
    }

    /** Makes the account, in which is what an owner brings, and the stack. */
    async prepare(config: StackConfig): Promise<void> {
        const state = createState(this.name);
        const images = { [image]: "ignition" } as const;
        Account.open(this.env.TRADEWIND_SIMULATED_ACCOUNT!, { domains: [domain], images, sshKeys: [String(sshKey)] });
        const vpcCidr = await pickSubnet(this.name, ["10.2.0.0/16", "10.3.0.0/16"]);
        const keys = { cloud: "digitalocean", domain, image, sshKeys: [sshKey], vpcCidr, ...config };
        const all = { ...keys, ...whatContainersNeed(this.name) };
        const prefixed = Object.entries(all).map(([key, value]) => [`tradewind:${key}`, value]);
        writeConfig(state.config, Object.fromEntries(prefixed));
        await ensureStack(state);
    }

    up(...args: string[]): Promise<Output> {
        return this.pulumi("up", "--yes", "--skip-preview", "--non-interactive", ...args);
    }

    override async destroy(): Promise<Output> {
        return this.pulumi("destroy", "--yes", "--skip-preview", "--non-interactive");
    }

    /** Waits until every node and every pod is Ready, as the load balancer tells. */
    async ready(): Promise<string[]> {
        const outputs = JSON.parse((await this.pulumi("stack", "output", "--json", "--show-secrets")).stdout);
        writePrivate(this.kubeconfig, outputs.kubeconfig);
        await waitUntilReady(
            { kubectl: kubectlPath(), kubeconfig: clusterState(this.name).kubeconfig },
            outputs.nodes,
            () => {},
        );
        return outputs.nodes;
    }
}

/** The network's mirror stands for the internet; and what is of the whole computer stays as it is. */
function whatContainersNeed(name: string): StackConfig {
    const mirror = `mirror.${name}.${domain}`;
    const cni = `v${versions.cniPlugins}`;
    const index = fileIndex();
    const download = (path: string) => ({ urls: [`http://${mirror}:8080/${path}`], sha256: index[path]!.sha256 });
    return {
        keepsConntrackLimits: true,
        downloads: {
            kubelet: download(`kubernetes/v${versions.kubernetes}/kubelet`),
            cniPlugins: download(`cni-plugins/${cni}/cni-plugins-linux-amd64-${cni}.tgz`),
            registryMirror: `http://${mirror}:5000`,
        },
    };
}
