import assert from "node:assert/strict";
import { clusterOptions } from "../../../../cli/reach/cluster";
import { command } from "../../../../command-line/command";
import { UsageError } from "../../../../command-line/parse";

const { parse } = command({ name: "it", about: "", options: clusterOptions }, () => 0);

describe("the options that select a cluster", () => {
    it("are a name, a kubeconfig or a stack, and how to reach its machines", () => {
        const given = ["--stack", "org/tradewind/prod", "--ssh-user", "root", "--ssh-key", __filename];
        const addresses = ["--ssh-address", "c-controller-0=192.0.2.11,c-controller-1=bastioned"];
        assert.deepEqual(parse([...given, ...addresses]).options, {
            name: undefined,
            kubeconfig: undefined,
            context: undefined,
            stack: "org/tradewind/prod",
            sshUser: "root",
            sshKey: __filename,
            sshAddress: { "c-controller-0": "192.0.2.11", "c-controller-1": "bastioned" },
        });
        const { name, context } = parse(["--name", "blue", "--context", "c"]).options;
        assert.deepEqual([name, context], ["blue", "c"]);
    });

    const wrong: [string, string][] = [
        [
            "--name Blue",
            "--name must be a DNS label of at most 19 characters (a-z, 0-9 and -, starting with a letter) (got Blue)",
        ],
        ["--ssh-user core", "--ssh-user requires --stack"],
        ["--stack --all", "--stack must be a stack name (got --all)"],
        ["--stack s --ssh-user -oProxyCommand=x", "--ssh-user must be a user name (got -oProxyCommand=x)"],
        ["--stack s --ssh-key /no/such/key", "--ssh-key must be an existing file (got /no/such/key)"],
        ["--stack s --ssh-address c=-x", "--ssh-address must be NODE=HOST, separated by commas (got c=-x)"],
    ];
    for (const [args, message] of wrong) {
        it(`reject ${args}`, () => {
            assert.throws(() => parse(args.split(" ")), new UsageError(message));
        });
    }
});
