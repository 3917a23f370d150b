import { possibleMembers } from "../../cluster/model";
import { resolveCluster } from "../../cluster/resolve";
import { ask } from "../../command-line/ask";
import { command } from "../../command-line/command";
import { invalidOption, oneOf, UsageError } from "../../command-line/parse";
import { Stages } from "../../local/stages";
import { type ClusterAccess, type ClusterMachines, reachCluster } from "../reach/cluster";
import type { Controller } from "../reach/controller";
import { currentControllers } from "../reach/controllers";
import { releaseRecovery } from "./begin";
import { followRecovery, observeNow } from "./follow";
import { type RecoverOptions, recoverOptions, recoverText, SOURCES } from "./options";
import { isServing, recover, requireApi } from "./recover";
import { takeOver } from "./take-over";

export const program = command({ ...recoverText, options: recoverOptions }, run);

/** `tradewind recover`: 0 if the cluster's own control plane serves again, or it is held as requested. */
async function run(options: RecoverOptions): Promise<number> {
    if (!options.release && options.from === undefined) {
        throw invalidOption("--from", oneOf(SOURCES).legal, "nothing");
    }
    const { access, machines } = await reachCluster(options);
    if (machines === undefined) {
        const legal = "use --name or --stack";
        throw new UsageError(`recover needs the cluster's stack: ${legal} instead of ${access.kubeconfig}`);
    }
    if (options.candidate !== undefined)
        return takeOver(access, machines, { ...options, candidate: options.candidate });
    const stages = new Stages(options.release ? 1 : 3);
    return options.release ? release(access, machines, options, stages) : bringBack(access, machines, options, stages);
}

async function bringBack(access: ClusterAccess, machines: ClusterMachines, options: RecoverOptions, stages: Stages) {
    const { from, hold, plain, resetOthers, discardData, store, timeout } = options;
    const { record, cluster } = await stages.run("stack", "read the cluster's state", async (say) => {
        const found = await machines.record();
        say(`${Object.keys(found.machines).length} machines in the stack's state`);
        return { record: found, cluster: resolveCluster(found.options) };
    });
    const controller = await stages.run("machines", "check the controller and its data", async (say) => {
        await machines.ready();
        await machines.wake(say);
        const name = controllerName(await currentControllers({ access, machines }, cluster), options);
        if (from === "api") {
            await requireApi(access);
        }
        return machines.controller(name);
    });
    const end = await stages.run(`recover from ${from}`, `on ${controller.name}`, (say) =>
        recover({
            ...options,
            isHeld: hold,
            isPlain: plain,
            isResettingOthers: resetOthers,
            isDiscarding: discardData,
            isStored: store,
            isServing: () => isServing(access),
            from: from!,
            cluster,
            record,
            controller,
            hasOtherNodes: machines.hasOtherNodes,
            others: possibleMembers(cluster)
                .filter((name) => name !== controller.name)
                .map((name) => machines.controller(name)),
            say,
        }),
    );
    console.log(end === "over" ? done(stages) : held(machines, stages));
    const [first = ""] = cluster.controllers.names;
    if (end === "over" && controller.name !== first) {
        console.log(`${first} uses only its own apiserver. If that is down, run
  tradewind recover --from api --controller ${first} ${machines.choice}
`);
    }
    if (end === "held" && hold && process.stdin.isTTY && process.stdout.isTTY) {
        return releaseOnEnter(controller, timeout, stages);
    }
    return 0;
}

async function release(access: ClusterAccess, machines: ClusterMachines, options: RecoverOptions, stages: Stages) {
    const cluster = resolveCluster((await machines.record()).options);
    await machines.ready();
    const names = await currentControllers({ access, machines }, cluster);
    const controller = machines.controller(controllerName(names, options));
    const { state } = await observeNow(controller);
    if (state === "over") {
        console.log(`nothing to release: no recovery is running on ${controller.name}`);
        return 0;
    }
    await goOn(controller, options.timeout, stages);
    return 0;
}

async function releaseOnEnter(controller: Controller, timeout: number, stages: Stages): Promise<number> {
    await ask("Press Enter to continue, or Ctrl-C to leave it held. ");
    await goOn(controller, timeout, stages);
    return 0;
}

async function goOn(controller: Controller, timeout: number, stages: Stages): Promise<void> {
    await stages.run("release", `on ${controller.name}`, async (say) => {
        const { cursor } = await observeNow(controller);
        await releaseRecovery(controller);
        await followRecovery(controller, { untilHeld: false, timeout, print: say, cursor });
    });
    console.log(done(stages));
}

function controllerName(names: readonly string[], { controller = names[0]! }: RecoverOptions): string {
    if (!names.includes(controller)) {
        throw invalidOption("--controller", `one of ${names.join(", ")}`, controller);
    }
    return controller;
}

function done({ seconds }: Stages): string {
    return `\nthe cluster's own control plane serves again after ${seconds.toFixed(1)} s; see tradewind status\n`;
}

function held({ choice }: ClusterMachines, { seconds }: Stages): string {
    return `
the control plane serves from checkpoints after ${seconds.toFixed(1)} s. The recovery waits to be released. Next steps:

  repair the cluster with kubectl or pulumi up
  tradewind recover --release ${choice}
`;
}
