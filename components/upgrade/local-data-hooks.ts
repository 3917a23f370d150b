import * as pulumi from "@pulumi/pulumi";
import { type ApiClient, list, metadataOnly } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { withKubeconfig } from "../../clients/kubernetes/checked-client";
import type { ApiObject } from "../../clients/kubernetes/objects";
import { poolLabel } from "../../cluster/labels";
import type { Cluster } from "../../cluster/model";
import { describeRefusal } from "../../cluster/upgrades/checks";
import type { UpgradeProblem } from "../../cluster/upgrades/problem";
import { isKnown, isMocked, takesHooks } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { inProgram } from "../pulumi/hooks";
import { log } from "../pulumi/log";
import { localDataProblems } from "./local-data";

/** Machines of a group that a change takes away: all of them, or some that the cloud chooses. */
export type GroupFate = "replaced" | "removed" | undefined;

type Inputs = Readonly<Record<string, unknown>>;

/**
 * Engine hooks that refuse to replace machines whose disks hold data. Only the engine knows which it replaces:
 * `--replace` and a cloud's plugin decide that too.
 *
 * A machine is deleted before another one is created: a preview refuses that, an `up` without a preview can only report
 * it. A hook before the deletion would make `pulumi destroy` need the program.
 */
export class LocalDataHooks {
    readonly #cluster: Pick<Cluster, "name" | "upgradeOverrides">;
    readonly #kubeconfig: Promise<string | undefined>;
    #reach: (kubeconfig: pulumi.Output<string>) => void = () => undefined;
    /** Of each machine, whose resource has the name of its node. */
    readonly ofMachine: pulumi.ResourceHookBinding;

    /** @param isApiLost - see `whenUpgradable` */
    constructor(
        cluster: Pick<Cluster, "name" | "upgradeOverrides">,
        private readonly isApiLost = false,
    ) {
        this.#cluster = cluster;
        this.#kubeconfig = new Promise((resolve) => {
            this.#reach = (kubeconfig) =>
                void isKnown(kubeconfig).then((known) =>
                    known ? kubeconfig.apply((text) => resolve(text)) : resolve(undefined),
                );
        });
        this.ofMachine = takesHooks()
            ? { beforeCreate: [this.#hook("replaced", ({ name }) => this.#replaced(name))] }
            : {};
    }

    /** @param kubeconfig - administrator's; its server must be known before any machine */
    reachBy(kubeconfig: pulumi.Output<string>): void {
        this.#reach(kubeconfig);
    }

    /** Of a group whose instances the cloud names. @param fateOf - what a change of its inputs means for them */
    ofGroup(
        pool: string,
        fateOf: (before: Inputs, after: Inputs, nodes: number) => GroupFate,
    ): pulumi.ResourceHookBinding {
        if (!takesHooks()) return {};
        const hook = this.#hook(`${pool}-changed`, ({ oldInputs = {}, newInputs = {} }) =>
            this.#ask(async (api) => {
                const all = await list<ApiObject>(api, "/api/v1/nodes", metadataOnly);
                const leaving = all.filter(({ metadata }) => metadata.labels?.[poolLabel] === pool);
                const fate = fateOf(oldInputs, newInputs, leaving.length);
                if (fate === undefined) return;
                const how = fate === "removed" ? "one of those that may be removed" : fate;
                await this.#refuse(await localDataProblems(api, { leaving, all }, how), `change the pool ${pool}`);
            }),
        );
        return { beforeUpdate: [hook] };
    }

    #hook(what: string, act: (args: pulumi.ResourceHookArgs) => Promise<void>): pulumi.ResourceHook {
        return new pulumi.ResourceHook(`${this.#cluster.name}-local-data-${what}`, inProgram(act), { onDryRun: true });
    }

    async #replaced(node: string): Promise<void> {
        await this.#ask(async (api) => {
            const all = await list<ApiObject>(api, "/api/v1/nodes", metadataOnly);
            const leaving = all.filter(({ metadata }) => metadata.name === node);
            const problems = await localDataProblems(api, { leaving, all }, "replaced");
            if (pulumi.runtime.isDryRun()) return this.#refuse(problems, "replace this machine");
            for (const { message } of problems) await log.warn(message.replace("would be", "is being"));
        });
    }

    /** A new cluster has nothing to lose. One that does not respond is reported by the checks of upgrades. */
    async #ask(act: (api: ApiClient) => Promise<void>): Promise<void> {
        const kubeconfig = await this.#kubeconfig;
        if (kubeconfig === undefined || this.isApiLost || isMocked()) return;
        try {
            await withKubeconfig(kubeconfig, "tradewind-up", act);
        } catch (error) {
            if (error instanceof pulumi.RunError) throw error;
            await log.info(`data on disks of machines was not checked: ${describeError(error)}`);
        }
    }

    async #refuse(problems: readonly UpgradeProblem[], what: string): Promise<void> {
        const { name, upgradeOverrides } = this.#cluster;
        if (problems.length === 0) return;
        if (!upgradeOverrides.includes("local-data")) throw plainError(describeRefusal(name, what, problems));
        for (const { message } of problems) await log.warn(`${message} (upgradeOverrides: local-data)`);
    }
}
