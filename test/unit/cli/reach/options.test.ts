import assert from "node:assert/strict";
import { parseSshOptions } from "../../../../cli/reach/ssh";
import { UsageError } from "../../../../command-line/parse";

describe("the options of SSH", () => {
    it("are empty without a stack", () => {
        assert.deepEqual(parseSshOptions({}), {});
    });

    it("contain a stack, a user and addresses", () => {
        const values = { stack: "org/tradewind/prod", "ssh-user": "root", "ssh-key": __filename };
        assert.deepEqual(
            parseSshOptions({ ...values, "ssh-address": "c-controller-0=192.0.2.11,c-controller-1=bastioned" }),
            {
                stack: "org/tradewind/prod",
                sshUser: "root",
                sshKey: __filename,
                sshAddresses: { "c-controller-0": "192.0.2.11", "c-controller-1": "bastioned" },
            },
        );
    });

    const wrong: [Parameters<typeof parseSshOptions>[0], string][] = [
        [{ "ssh-user": "core" }, "--ssh-user requires --stack"],
        [{ stack: "--all" }, "--stack must be a stack name, got --all"],
        [{ stack: "s", "ssh-user": "-oProxyCommand=x" }, "--ssh-user must be a user name, got -oProxyCommand=x"],
        [{ stack: "s", "ssh-key": "/no/such/key" }, "--ssh-key must be an existing file, got /no/such/key"],
        [{ stack: "s", "ssh-address": "c=-x" }, "--ssh-address must be NODE=HOST, separated by commas, got c=-x"],
    ];
    for (const [values, message] of wrong) {
        it(`are rejected: ${JSON.stringify(values)}`, () => {
            assert.throws(() => parseSshOptions(values), new UsageError(message));
        });
    }
});
