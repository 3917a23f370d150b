import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { dockerClient } from "../../machines/docker";
import { PROJECT_DIR, pulumiCli } from "../pulumi-env";

/** What a program says of itself, or why it says nothing. */
type Said = { readonly said: string } | { readonly unknown: string };

/** Who has the programs that a cluster of this computer is made with, or somebody's own. */
export interface Programs {
    readonly pulumi: string;
    readonly docker: string;
    readonly checkout: string;
}

/** @param isLocal - the cluster is of this computer, which has the Pulumi of the cache; others have the one on the PATH */
export function programsOf(isLocal: boolean): Programs {
    return { pulumi: isLocal ? pulumiCli() : "pulumi", docker: dockerClient(), checkout: PROJECT_DIR };
}

/** Of what made the cluster and looks at it. What can't be asked is told as such. */
export async function versions({ pulumi, docker, checkout }: Programs): Promise<Readonly<Record<string, string>>> {
    const { version } = require("../../package.json");
    const ofCheckout = ["-C", checkout, "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"];
    const [ofPulumi, engine, commit] = await Promise.all([
        ask(pulumi, "version"),
        ask(docker, "version", "--format", "{{.Server.Version}}, client {{.Client.Version}}"),
        // A package is in somebody's project, whose commit says nothing of it.
        existsSync(join(checkout, ".git")) ? ask("git", ...ofCheckout) : { unknown: "no checkout" },
    ]);
    return {
        tradewind: version,
        commit: shown(commit),
        pulumi: shown(ofPulumi).replace(/^v/, ""),
        docker: shown(engine),
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
    };
}

function shown(answer: Said): string {
    return "said" in answer ? answer.said : `unknown: ${answer.unknown}`;
}

function ask(program: string, ...args: string[]): Promise<Said> {
    return new Promise((resolve) => {
        // Pulumi would ask the internet for a newer one.
        const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, timeout: 10_000, killSignal: "SIGKILL" as const };
        execFile(program, args, options, (error, stdout, stderr) => {
            const why = (stderr.trim() || error?.message || "").split("\n")[0]!;
            resolve(error ? { unknown: why } : { said: stdout.trim() });
        });
    });
}
