import { redact } from "../../agents/harness/redact";
import { describeError } from "../../clients/kubernetes/api-error";
import { type CloudName, cloudNames } from "../../cluster/clouds";
import { confirm } from "../../command-line/ask";
import { command } from "../../command-line/command";
import { flag, oneOf, required, UsageError, type Values, value, wholeNumber } from "../../command-line/parse";
import { CLUSTER_NAME } from "../../local/options";
import { hasState } from "../../local/state";
import { verified } from "./clouds";
import { readChosen } from "./config";
import { estimate } from "./cost/estimate";
import { destroyCommand, end, howToDestroy } from "./end";
import { markdown, type Result, requireWritable, writeReport } from "./report";
import { Run } from "./run";
import { openStack, reopenStack, type VerifyStack } from "./stack";
import { verify } from "./verify";

const options = {
    cloud: required(value("CLOUD", `the cloud: ${cloudNames.join(" or ")}`, oneOf(cloudNames))),
    config: value(
        "FILE",
        "a stack's configuration for that cloud, such as a copy of stacks/Pulumi.do-small.yaml with your domain, region and image. Required except with --destroy",
    ),
    name: value("NAME", "the cluster's name, which its resources begin with", CLUSTER_NAME, { default: "verify" }),
    workers: value(
        "NUMBER",
        "workers to create; with 11 on DigitalOcean, a load balancer of more than 10 is tried",
        wholeNumber(1, 50),
        { default: 1 },
    ),
    report: value("DIR", "where the report is written", undefined, { otherwise: "this folder" }),
    yes: flag("skip the question about costs", { short: "y" }),
    destroy: flag("only destroy what an earlier run could not"),
};

const allCredentials = Object.values(verified).map(({ credentials }) => credentials);

export const program = command(
    {
        name: "tradewind verify-cloud",
        about: "Creates the smallest cluster in your account, checks it, changes a flag, replaces a node, destroys everything, and writes a report.",
        options,
        notes: `Credentials are those of Pulumi's provider: ${allCredentials.join(", or ")}. Other Pulumi stacks are not touched.

The cluster is destroyed in any case, also after a failure or one Ctrl-C. If that fails, the command prints what is left and how to destroy it.

Examples:
  npm run tradewind -- verify-cloud --cloud digitalocean --config my.yaml
  npm run tradewind -- verify-cloud --cloud digitalocean --destroy

Exit codes:
  0    every check passed, and everything was destroyed
  1    a check failed, or something could not be destroyed
  2    invalid command line`,
    },
    run,
);

async function run(chosen: Values<typeof options>): Promise<number> {
    const { cloud, config, name, workers, yes, destroy, report: folder = process.cwd() } = chosen;
    if (destroy) return destroyLeft(name, cloud);
    if (config === undefined) throw new UsageError("--config is required: a stack's configuration file");
    if (hasState(name)) {
        throw new UsageError(
            `an earlier run left the cluster ${name}: destroy it with ${destroyCommand({ cloud, name })}, or choose another --name`,
        );
    }
    if (!yes && !process.stdin.isTTY) throw new UsageError("--yes is required without a terminal");
    const given = readChosen(config, cloud, workers);
    requireWritable(folder);
    const stack = await openStack(name, cloud, given);
    const cost = await confirmedCost(stack, yes);
    if (cost === undefined) return 1;
    const result = await verify(stack, cost);
    const isWritten = write(folder, result);
    // What an interrupted step waits for does not matter any more.
    if (result.steps.some(({ outcome }) => outcome === "interrupted")) process.exit(1);
    return result.passed && isWritten ? 0 : 1;
}

/** What the cluster costs, once the user agrees. @default undefined - the user does not agree */
async function confirmedCost(stack: VerifyStack, yes: boolean): Promise<string | undefined> {
    try {
        console.log(`previewing ${stack.name} on ${stack.cloud}`);
        const cost = estimate(stack.cloud, await stack.preview());
        console.log(`\n${cost}\n`);
        if (yes || (await confirm(`Create the cluster ${stack.name} in your account?`))) return cost;
        console.log("cancelled; nothing was created");
    } catch (error) {
        await discard(stack);
        throw error;
    }
    await discard(stack);
    return undefined;
}

/** Removes the state of a stack that was only previewed. */
async function discard(stack: VerifyStack): Promise<void> {
    await stack.forget().catch((error) => {
        console.error(`the state is kept: ${describeError(error)}; remove it with ${destroyCommand(stack)}`);
    });
}

/** @returns whether the report could be written; otherwise it is printed */
function write(folder: string, result: Result): boolean {
    try {
        for (const path of writeReport(folder, result)) console.log(`report: ${path}`);
        return true;
    } catch (error) {
        console.error(`the report could not be written: ${describeError(error)}\n\n${redact(markdown(result))}`);
        return false;
    }
}

/** Destroys what an earlier run left. */
async function destroyLeft(name: string, cloud: CloudName): Promise<number> {
    const stack = await reopenStack(name, cloud);
    const run = new Run();
    const left = await run.protect(() => end(stack, run));
    console.log(left.length === 0 ? `${name} is destroyed` : `\n${howToDestroy(stack, left).join("\n")}`);
    return left.length === 0 ? 0 : 1;
}
