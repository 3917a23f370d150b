import { type ApiClient, patch } from "../../../clients/kubernetes/api-client";
import { describeError, ifFound } from "../../../clients/kubernetes/api-error";
import { eventsPath, type Notice, nodeEvent, warning } from "../../../clients/kubernetes/nodes";
import { isReady } from "../../../clients/kubernetes/objects";
import type { CloudMachines } from "./cloud";
import { type Call, decide, isRecent, type Wait, type Write } from "./decide";
import { type Config, type KnownNode, type Observation, Observer } from "./observe";
import { type NodeRepairerPlan, nodeRepairerName } from "./plan";
import { repairsConfig, repairsKey, waitsKey } from "./record";

export interface RepairerArgs {
    readonly api: ApiClient;
    readonly plan: NodeRepairerPlan;
    /** @default - none: only a person can repair machines */
    readonly cloud?: CloudMachines;
    readonly log: (line: string) => void;
    /** Monotonic seconds. */
    readonly clock?: () => number;
    /** Milliseconds since 1970. Read once. */
    readonly now?: () => number;
}

/** Unit: seconds. */
const leastPause = 15;
const mostPause = 600;

const configPath = `/api/v1/namespaces/kube-system/configmaps/${repairsConfig}`;

/**
 * Restarts and replaces machines whose nodes are not Ready.
 *
 * It writes what it will do to the record, which fails if anything else has written it, and then calls the cloud. So it
 * needs no other election: two agents never do different things, and one that cannot reach the API does nothing.
 */
export class NodeRepairer {
    readonly #args: Required<Omit<RepairerArgs, "cloud">> & Pick<RepairerArgs, "cloud">;
    readonly #observer: Observer;
    /** Consecutive refusals of the cloud by node name, and until when it is not called again. */
    readonly #refusals = new Map<string, { readonly count: number; readonly until: number }>();
    /** Version of the record that was replaced: the watch may report the new one a moment later. */
    #replaced?: string;
    #said?: string;

    constructor({ clock = () => performance.now() / 1000, now = Date.now, ...args }: RepairerArgs) {
        // A clock that jumps, such as when it is set after a boot, must not make a machine overdue.
        const start = now() - clock() * 1000;
        this.#args = { ...args, clock, now: () => start + clock() * 1000 };
        this.#observer = new Observer(args.api, args.plan);
    }

    /** Reconciles once. Errors are logged, and the next reconcile retries. @returns whether it did something */
    async reconcile(): Promise<boolean> {
        try {
            return await this.#reconcile();
        } catch (error) {
            this.#say(`retrying: ${describeError(error)}`);
            return false;
        }
    }

    async #reconcile(): Promise<boolean> {
        const { clock, now, plan } = this.#args;
        const paused = [...this.#refusals].filter(([, { until }]) => clock() < until).map(([name]) => name);
        const observation = await this.#observer.observe(clock(), now(), new Set(paused));
        if (observation.config.metadata.resourceVersion === this.#replaced) return false;
        const action = decide(observation.observed, plan);
        if (action.do === "wait") {
            await this.#wait(action, observation.config);
            return false;
        }
        this.#said = undefined;
        if (action.do === "write") await this.#write(action, observation);
        else await this.#call(action, observation);
        return true;
    }

    async #wait({ why, isPending }: Wait, { data = {} }: Config): Promise<void> {
        this.#say(why);
        const waits = isPending ? why : undefined;
        if (data[waitsKey] === waits) return;
        await patch(this.#args.api, configPath, "merge", { data: { [waitsKey]: waits ?? null } });
    }

    /** Fails if the record has changed since it was observed: then the next reconcile decides again. */
    async #write({ node, entry, replacedIn, notice }: Write, { observed, config }: Observation): Promise<void> {
        const { api, log, now } = this.#args;
        const at = new Date(now()).toISOString();
        const { [node]: before, ...others } = observed.repairs.machines;
        const recent = observed.repairs.replaced.filter((each) => isRecent(each, observed));
        const repairs = {
            machines: entry === undefined ? others : { ...others, [node]: { since: at, ...entry } },
            replaced: replacedIn === undefined ? recent : [...recent, { pool: replacedIn, at }],
        };
        const { resourceVersion } = config.metadata;
        const data = { [repairsKey]: JSON.stringify(repairs) };
        await patch(api, configPath, "merge", { metadata: { resourceVersion }, data });
        this.#replaced = resourceVersion;
        log(entry === undefined ? `${node}: no longer recorded` : `${node}: ${entry.state}, ${entry.why}`);
        const uid = entry?.uid ?? before?.uid;
        if (notice !== undefined && uid !== undefined) await this.#tell({ name: node, uid }, notice);
    }

    async #call({ node, what }: Call, observation: Observation): Promise<void> {
        const { api, cloud, clock, log } = this.#args;
        const { since, problem: before, ...entry } = observation.observed.repairs.machines[node]!;
        // The watched one may be a moment old.
        const current = await ifFound(api.call<KnownNode>(`/api/v1/nodes/${node}`));
        if (current?.metadata.uid !== entry.uid || isReady(current.status)) return;
        const isController = this.#args.plan.controllerLabel in (current.metadata.labels ?? {});
        const write = (next: NonNullable<Write["entry"]>, notice?: Notice) =>
            this.#write({ do: "write", node, entry: next, ...(notice && { notice }) }, observation);
        let manual: string | undefined;
        try {
            manual = cloud ? await cloud[what]({ name: node, isController }) : "nothing can reach its machine";
        } catch (error) {
            const problem = describeError(error).slice(0, 300);
            const count = (this.#refusals.get(node)?.count ?? 0) + 1;
            const until = clock() + Math.min(leastPause * 2 ** count, mostPause);
            this.#refusals.set(node, { count, until });
            log(`${node}: ${problem}`);
            if (before !== problem) await write({ ...entry, since, problem });
            return;
        }
        this.#refusals.delete(node);
        if (manual === undefined) return await write({ ...entry, isRequested: true });
        const why = `${entry.why}; ${manual}`;
        const message = `only a person can repair ${node}: ${why}`;
        await write({ ...entry, state: "manual", why }, warning("MachineNeedsRepair", message));
    }

    /** An Event informs a person, and nothing depends on it. */
    async #tell(node: { readonly name: string; readonly uid: string }, notice: Notice): Promise<void> {
        const { api, log } = this.#args;
        try {
            const body = nodeEvent(node, notice, { component: nodeRepairerName });
            await api.call(eventsPath, { method: "POST", body });
        } catch (error) {
            log(`no Event could be written about ${node.name}: ${describeError(error)}`);
        }
    }

    /** A persistent problem is logged once. */
    #say(line: string): void {
        if (line !== this.#said) this.#args.log(line);
        this.#said = line;
    }
}
