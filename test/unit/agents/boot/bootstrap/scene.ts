import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap } from "../../../../../agents/boot/bootstrap/bootstrap";
import type { BootstrapPlan, StepName } from "../../../../../agents/boot/bootstrap/plan";
import { examplePlan, writeAssets } from "./assets";
import { FakeMachine } from "./fake-machine";

/** A booted machine with the bootstrap's assets on its disk. */
export class Scene {
    readonly machine: FakeMachine;
    /** The agent's output. */
    readonly lines: string[] = [];

    static async create(change: Partial<BootstrapPlan> = {}): Promise<Scene> {
        const root = mkdtempSync(join(tmpdir(), "tradewind-bootstrap-"));
        const plan = { ...(await examplePlan(root)), ...change };
        return new Scene(root, plan, writeAssets(plan));
    }

    private constructor(
        private readonly root: string,
        readonly plan: BootstrapPlan,
        readonly planPath: string,
    ) {
        this.machine = new FakeMachine(plan);
        this.machine.boot();
    }

    get stages(): string {
        return join(this.plan.directories.state, "stages.jsonl");
    }

    get stamp(): string {
        return join(this.plan.directories.state, "pivoted");
    }

    addManifest(name: string, object: object): void {
        writeFileSync(join(this.plan.directories.assets, "manifests", name), JSON.stringify(object), { mode: 0o600 });
    }

    /** Runs the bootstrap in this process. */
    run(timeouts: Partial<Record<StepName, number>> = {}): Promise<void> {
        const plan = { ...this.plan, timeouts: { ...this.plan.timeouts, ...timeouts } };
        return bootstrap(plan, (line) => this.lines.push(line));
    }

    end(): void {
        this.machine.powerCut();
        rmSync(this.root, { recursive: true });
    }
}
