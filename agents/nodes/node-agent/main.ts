import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { serveHealth } from "../../harness/health";
import { logWait, takeLock } from "../../harness/lock";
import { ownPod, runAgent } from "../../harness/main";
import { InvalidPlan, readPlan } from "../../harness/plan";
import { NodeAgent } from "./agent";
import { Api } from "./api";
import { CniPlugins } from "./cni-plugins/plugins";
import { ContainerRuntimes } from "./container-runtime/runtimes";
import { Identity } from "./kubelet/identity";
import { Kubelets } from "./kubelet/kubelets";
import { planSchema } from "./plan";
import { Host } from "./reboot/host";

/** The node is not as desired, and stays so until something changes. */
class NodeFailed extends Error {}

async function main(path = ""): Promise<never> {
    const plan = readPlan(path, planSchema);
    const { nodeName, ownUid } = ownPod();
    mkdirSync(plan.directories.state, { recursive: true, mode: 0o755 });
    await takeLock(join(plan.directories.state, "lock"), logWait("node-agent"));
    const identity = plan.identity && new Identity(plan.identity, plan.credentials.ca, nodeName);
    const kubelets = new Kubelets(plan.directories, plan.settings, identity);
    const host = new Host(plan.directories.state);
    const cniPlugins = new CniPlugins(plan.directories.cni);
    const { containerRuntime } = plan.directories;
    const runtimes = containerRuntime === undefined ? undefined : new ContainerRuntimes(containerRuntime);
    const api = new Api(plan, nodeName);
    const observer = { plan, ownUid, kubelets, cniPlugins, ...(runtimes && { runtimes }), host, api };
    const agent = new NodeAgent({ ...observer, log: console.log });
    serveHealth(plan.healthPort, {
        live: () => agent.stall(),
        ready: () => agent.notReadyBecause(),
        metrics: () => agent.metrics(),
    });
    throw new NodeFailed(`${nodeName}: ${await agent.run()}`);
}

runAgent(main, { onSignal: "the next node-agent resumes", explained: [NodeFailed, InvalidPlan] });
