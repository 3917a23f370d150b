import assert from "node:assert/strict";
import { commandFirst, isInStateFolder, requireSupported, withoutRemoval } from "../../../dev/pulumi-arguments";
import { clusterState } from "../../../local/state";

const words = (text: string) => text.split(" ").filter(Boolean);

describe("the arguments of npm run pulumi", () => {
    for (const [given, first] of [
        ["up --yes", "up --yes"],
        ["--color never up --yes", "up --color never --yes"],
        ["--color=never -v 3 --logtostderr config set a b", "config --color=never -v 3 --logtostderr set a b"],
        ["--version", "--version"],
        ["", ""],
    ] as const) {
        it(`have the command first: ${given}`, () => {
            assert.deepEqual(commandFirst(words(given)), words(first));
        });
    }

    for (const [args, advice] of [
        [
            "stack change-secrets-provider passphrase",
            /is not supported for the cluster lab: every command reads the passphrase from .*lab\/passphrase/,
        ],
        ["--color never stack change-secrets-provider passphrase", /docs\/key-rotation\.md/],
        ["stack --color never init other", /npm start -- --name lab creates the stack/],
        ["stack select other", /--name chooses the cluster/],
        ["new typescript", /npm start/],
        ["config cp --dest other", /npm run pulumi -- --name OTHER config set/],
    ] as const) {
        it(`are refused if Pulumi would write a configuration into the checkout: ${args}`, () => {
            assert.throws(() => requireSupported(commandFirst(words(args)), clusterState("lab")), advice);
        });
    }

    it("are accepted if the configuration is that of the state", () => {
        for (const args of [
            "up",
            "stack",
            "stack output",
            "stack export",
            "config set a b",
            "config refresh",
            "preview -v 3 new",
        ]) {
            requireSupported(words(args), clusterState("lab"));
        }
    });

    it("never remove a configuration of the checkout", () => {
        for (const args of ["stack rm", "destroy --remove --yes", "down --remove=true"]) {
            assert.equal(withoutRemoval(words(args)).at(-1), "--preserve-config", args);
        }
        for (const args of ["destroy --yes", "stack rm --preserve-config", "config rm a"]) {
            assert.deepEqual(withoutRemoval(words(args)), words(args));
        }
    });

    it("of a history make Pulumi use the state's folder, where it finds the salt", () => {
        assert.ok(isInStateFolder(words("stack history --show-secrets")));
        assert.ok(!isInStateFolder(words("stack output")));
    });
});
