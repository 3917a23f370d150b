import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { installPaper, stayingInside } from "../../../simulator/clouds/dry-run/install";
import { openAccount, type PaperAccount } from "../paper/clouds";
import { Workspace } from "../workspace";
import { homeOfLanguages } from "./languages";

/**
 * A project for programs in other languages, with an account in each cloud: both are simulated, with dry-run machines.
 */
export class PaperProgram {
    private constructor(
        readonly workspace: Workspace,
        readonly accounts: readonly PaperAccount[],
        private readonly folders: readonly string[],
    ) {}

    static async create(): Promise<PaperProgram> {
        const folder = mkdtempSync(join(tmpdir(), "tradewind-paper-program-"));
        const home = await homeOfLanguages();
        const plugins = join(folder, "plugins");
        await installPaper(plugins, { simulatesClouds: true });
        const clouds = ["aws", "digitalocean"] as const;
        const pathOf = (cloud: string) => join(folder, `${cloud}.json`);
        const accounts = clouds.map((cloud) => {
            const account = pathOf(cloud);
            const plugin = join(plugins, `pulumi-resource-${cloud}`);
            renameSync(plugin, `${plugin}-simulated`);
            const launcher = `#!/bin/sh\nTRADEWIND_SIMULATED_ACCOUNT='${account}' exec '${plugin}-simulated' "$@"\n`;
            writeFileSync(plugin, launcher, { mode: 0o755 });
            return openAccount[cloud](account);
        });
        const workspace = await Workspace.create("", {
            PATH: [plugins, process.env.PATH].join(delimiter),
            PULUMI_HOME: home,
            // For `stayingInside`: each plugin has one of its own.
            TRADEWIND_SIMULATED_ACCOUNT: clouds.map(pathOf).join(delimiter),
            NODE_OPTIONS: stayingInside(),
            PULUMI_IGNORE_AMBIENT_PLUGINS: "false",
            PULUMI_EXPERIMENTAL: "true",
            PULUMI_SKIP_CHECKPOINTS: "true",
            ...{ AWS_REGION: "", AWS_ACCESS_KEY_ID: "", DIGITALOCEAN_TOKEN: "" },
        });
        return new PaperProgram(workspace, accounts, [folder, home]);
    }

    /** Contents of the accounts. */
    get left(): readonly string[] {
        return this.accounts.flatMap(({ left }) => left);
    }

    remove(): void {
        this.workspace.remove();
        for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
    }
}
