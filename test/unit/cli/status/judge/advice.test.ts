import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { judge } from "../../../../../cli/status/judge";
import { COMMANDS } from "../../../../../cli/tradewind";
import type { Program } from "../../../../../command-line/command";
import { program as start } from "../../../../../local/start";
import { cases } from "./cases";

/** Findings whose advice is no command: it comes from elsewhere, or there is none to give. */
const withoutCommand = [
    "admission-alters",
    "admission-blocked",
    "admission-limits",
    "admission-risk",
    // SSH is set up outside of the cluster.
    "machine-unreached",
];

/** Options of other programs' commands that advice may use. Those with `=` have a value. */
const others: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    aws: {
        autoscaling: ["--auto-scaling-group-name=", "--no-should-decrement-desired-capacity", "--instance-id="],
        ec2: ["--include-all-instances", "--instance-ids=", "--filters=", "--query="],
    },
    doctl: { compute: [] },
    pulumi: { up: ["--refresh"] },
    kubectl: {
        auth: [],
        delete: ["-n=", "--wait"],
        describe: ["-n=", "-l="],
        get: ["-n=", "-l=", "-o=", "--show-labels"],
        label: ["--overwrite"],
        logs: ["-n=", "-l=", "-c=", "--tail", "--prefix"],
        rollout: ["-n="],
        top: ["-A"],
        uncordon: [],
    },
    docker: { exec: [], logs: [], restart: [], unpause: [] },
    systemctl: { restart: [] },
    journalctl: { "": ["-u=", "-n=", "-g=", "--vacuum-size"] },
    crictl: { rmi: ["--prune"] },
    curl: { "": ["-k"] },
    timedatectl: { "": [] },
    mv: { "": [] },
};

/** Command lines in a text: they end with a full stop, comma, semicolon or bracket. */
function commandsIn(text: string): string[][] {
    const found = text.matchAll(
        /(?<![\w./-])(tradewind|npm start|aws|doctl|pulumi|kubectl|docker|systemctl|journalctl|crictl|curl|timedatectl|mv)(?![\w/-]|\.\S)(.*?)(?=[.,;)](?:\s|$)|$|: )/g,
    );
    return [...found].map(([, program, rest]) => [program!, ...rest!.trim().split(/\s+/).filter(Boolean)]);
}

/** Options at the beginning, with their values. What follows may be the rest of a sentence. */
function optionsOf(words: readonly string[]): string[] {
    const end = words.findIndex((word, index) => !word.startsWith("-") && !words[index - 1]?.startsWith("-"));
    return words.slice(0, end < 0 ? words.length : end);
}

/** @throws if the program would refuse the command */
function requireLegal([program = "", ...words]: readonly string[]): void {
    if (program === "tradewind") {
        const [name = "", ...args] = words;
        assert.ok(Object.hasOwn(COMMANDS, name), `tradewind ${name} is no command`);
        const { parse } = COMMANDS[name]!.load(`tradewind ${name}`, "") as Program<object>;
        parse(optionsOf(args).map((word) => word.replace("ADDRESS,…", "10.0.0.11")));
    } else if (program === "npm start") {
        start.parse(optionsOf(words).filter((word) => word !== "--"));
    } else {
        requireKnown(program, words);
    }
}

function requireKnown(program: string, words: readonly string[]): void {
    const verbs = others[program]!;
    const values = Object.values(verbs).flatMap((flags) => flags.filter((flag) => flag.endsWith("=")));
    const isValue = (index: number) => values.includes(`${words[index - 1]}=`);
    const plain = words.filter((word, index) => !word.startsWith("-") && !isValue(index));
    const verb = "" in verbs ? "" : plain[0]!;
    assert.ok(Object.hasOwn(verbs, verb), `${program} ${verb} is not a known command`);
    if (program === "docker" && verb === "exec") {
        requireLegal([...plain.slice(2), ...words.filter(isFlag)]);
        return;
    }
    for (const flag of words.filter(isFlag)) {
        const name = flag.replace(/=.*/, "");
        assert.ok(
            verbs[verb]!.some((each) => each.replace("=", "") === name),
            `${program} ${verb} is not known to have ${name}`,
        );
    }
}

const isFlag = (word: string) => word.startsWith("-");

const findings = cases.flatMap(([, facts]) => judge(facts).findings);

describe("the advice of status", () => {
    it("is tried for every kind of finding", () => {
        const folder = join(__dirname, "../../../../../cli/status/judge");
        const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
        const all = sources.flatMap((source) =>
            [...source.matchAll(/\b(?:critical|warning|report)\(\s*"([a-z-]+)"/g)].map(([, code]) => code!),
        );
        assert.deepEqual([...new Set(findings.map(({ code }) => code))].sort(), [...new Set(all)].sort());
    });

    it("names a command for every kind of finding, or says that there is none", () => {
        const silent = findings.filter(({ advice = "" }) => commandsIn(advice).length === 0);
        assert.deepEqual([...new Set(silent.map(({ code }) => code))].sort(), withoutCommand);
    });

    for (const text of new Set(
        findings.flatMap(({ advice = "" }) => commandsIn(advice).map((words) => words.join(" "))),
    )) {
        it(`names a command that exists: ${text}`, () => {
            const [words] = commandsIn(text);
            requireLegal(words!);
        });
    }
});
