import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { serveHealth } from "../../harness/health";
import { takeLock } from "../../harness/lock";
import { endOnSignals } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { NodeAgent } from "./agent";
import { Api } from "./api";
import { CniPlugins } from "./cni-plugins/plugins";
import { ContainerRuntimes } from "./container-runtime/runtimes";
import { Identity } from "./kubelet/identity";
import { Kubelets } from "./kubelet/kubelets";
import { planSchema } from "./plan";
import { Host } from "./reboot/host";

async function main(path: string): Promise<string> {
    const plan = readPlan(path, planSchema);
    const { NODE_NAME: nodeName = "", POD_UID: ownUid = "" } = process.env;
    if (nodeName === "" || ownUid === "") {
        throw new InvalidPlan("NODE_NAME and POD_UID must be those of the node and of this pod");
    }
    mkdirSync(plan.directories.state, { recursive: true, mode: 0o755 });
    await takeLock(join(plan.directories.state, "lock"), () =>
        console.log("another node-agent is running here; waiting for it to end"),
    );
    const identity = plan.identity && new Identity(plan.identity, plan.credentials.ca, nodeName);
    const kubelets = new Kubelets(plan.directories, plan.settings, identity);
    const host = new Host(plan.directories.state);
    const cniPlugins = new CniPlugins(plan.directories.cni);
    const { containerRuntime } = plan.directories;
    const runtimes = containerRuntime === undefined ? undefined : new ContainerRuntimes(containerRuntime);
    const api = new Api(plan, nodeName);
    const observer = { plan, ownUid, kubelets, cniPlugins, ...(runtimes && { runtimes }), host, api };
    const agent = new NodeAgent({ ...observer, log: console.log });
    serveHealth(plan.healthPort, { live: () => agent.stall(), ready: () => agent.notReadyBecause() });
    return agent.run();
}

endOnSignals("the next node-agent resumes");

main(process.argv[2] ?? "").then(
    (failure) => {
        console.error(`${process.env.NODE_NAME}: ${failure}`);
        process.exit(1);
    },
    (error: Error) => {
        console.error(error instanceof InvalidPlan ? error.message : error);
        process.exit(1);
    },
);
