import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { groups } from "../../../dev/bench";
import { program as packaging } from "../../../dev/package";
import { program as start } from "../../../local/start";
import { program as soak } from "../../soak";
import { wrongArtifacts, wrongCommand, wrongOption, wrongSetting } from "./known";
import { commandsOf, pages, root, textOf } from "./pages";

/** Comments for readers after a command. */
const comment = /\s+#.*| {2,}.*|\s+[|>].*/;

/** A configuration key that is set or removed, in both ways to call Pulumi. */
const SETTING = /^(?:npm run (?:-s )?pulumi -- |pulumi )config (?:set|rm) (.*)$/;

/** How a key is derived: not a command. */
const LABEL = "tradewind etcd snapshot";

const { scripts } = require("../../../package.json");

describe("commands in the documentation", () => {
    for (const page of pages) {
        it(`of ${page} exist`, () => {
            for (const command of commandsOf(page)) {
                const [, script, rest = ""] = /^npm (?:run )?(?:-s )?([\w:-]+)(?: -- (.*))?/.exec(command) ?? [];
                if (script === undefined || ["audit", "ci", "install", "i", "pack", "publish"].includes(script))
                    continue;
                assert.ok(script in scripts, command);
                check[script]?.(rest.replace(comment, ""), command);
            }
        });

        it(`of ${page} have existing options and keys`, () => {
            for (const command of commandsOf(page)) {
                const [, args] = /^(?:- run: )?(?:npx (?:--no-install )?)?tradewind(?: (.*))?$/.exec(command) ?? [];
                if (args !== undefined && command !== LABEL)
                    assert.equal(wrongCommand(args.replace(comment, "")), undefined, command);
                const [, setting] = SETTING.exec(command) ?? [];
                if (setting !== undefined) assert.equal(wrongSetting(setting.replace(comment, "")), undefined, command);
                assert.doesNotMatch(
                    command,
                    /\bnpx tradewind\b/,
                    "without --no-install npx fetches a stranger's package",
                );
            }
        });

        it(`of ${page} refer to existing tests and files`, () => {
            const named =
                textOf(page).match(
                    /\b(?:test|dev|cli|agents|clients|cluster|components|local|stacks)\/[\w/.-]+\.ts\b/g,
                ) ?? [];
            assert.deepEqual(
                named.filter((path) => !existsSync(join(root, path))),
                [],
            );
        });
    }

    /** Checks of a script's arguments, by script. */
    const check: Record<string, (args: string, command: string) => void> = {
        start: (args, command) => {
            for (const option of args.match(/--[\w-]+/g) ?? []) {
                assert.ok(start.help.includes(option), command);
            }
        },
        tradewind: (args, command) => {
            assert.equal(wrongCommand(args), undefined, command);
        },
        soak: (args, command) => {
            assert.equal(wrongOption("soak", soak.help, args.split(/\s+/)), undefined, command);
        },
        package: (args, command) => {
            assert.equal(wrongOption("package", packaging.help, args.split(/\s+/)), undefined, command);
        },
        artifacts: (args, command) => {
            assert.equal(wrongArtifacts(args), undefined, command);
        },
        bench: (args, command) => {
            for (const name of args.split(" ").filter((word) => /^[a-z]/.test(word))) {
                assert.ok(groups().includes(name), command);
            }
        },
    };
});

describe("the check of commands in the documentation", () => {
    it("finds missing commands, options and keys", () => {
        assert.equal(wrongCommand("stats"), "no command stats");
        assert.equal(wrongCommand("status --wtch"), "no option --wtch of status");
        assert.equal(wrongCommand("status --watch --name blue"), undefined);
        assert.equal(wrongSetting("--path 'tradewind:workerPools[0].cuont' 2"), "no key workerPools[0].cuont");
        assert.equal(wrongSetting("kubernetesVersoin 1.36.3"), "no key kubernetesVersoin");
        assert.equal(wrongSetting("--secret digitalocean:tokn x"), "no key tokn of digitalocean");
        assert.equal(wrongSetting("--path 'tradewind:workerPools[0].labels.disk' ssd"), undefined);
        assert.equal(wrongSetting("--path 'tradewind:recreate[0]' blue-controller-0"), undefined);
        assert.equal(wrongSetting("--path 'tradewind:domain[0]' example.com"), "no key domain[0]");
        assert.equal(wrongSetting("--path tradewind:madeAnwe[0] x"), "no key madeAnwe[0]");
        assert.equal(wrongSetting("…"), undefined);
        assert.equal(wrongArtifacts("fil --kubernetes 1.36.3"), "no command fil of artifacts");
        assert.equal(wrongArtifacts("fill [--kubernets 1.36.3]"), "no option --kubernets of artifacts");
        assert.equal(wrongOption("soak", soak.help, ["--minute", "3"]), "no option --minute of soak");
    });

    it("finds keys with both ways to call Pulumi", () => {
        for (const command of ["npm run pulumi -- config set", "npm run -s pulumi -- config rm", "pulumi config set"])
            assert.equal(SETTING.exec(`${command} tradewind:domain x`)?.[1], "tradewind:domain x");
    });
});
