import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { awsCredentials } from "../../../../../agents/clean-up/aws/query";

describe("AWS credentials on this machine", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-aws-"));
    after(() => rmSync(folder, { recursive: true }));

    /** A PATH with an AWS CLI that runs this script. */
    const withCli = (script: string) => {
        writeFileSync(join(folder, "aws"), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, "aws"), 0o700);
        return { PATH: [folder, "/bin", dirname(process.execPath)].join(":"), AWS_PROFILE: "work" };
    };

    it("come from the environment", async () => {
        const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key", PATH: "" };
        assert.deepEqual(await awsCredentials(env), { accessKeyId: "id", secretAccessKey: "key" });
        const lasting = { accessKeyId: "id", secretAccessKey: "key", sessionToken: "token" };
        assert.deepEqual(await awsCredentials({ ...env, AWS_SESSION_TOKEN: "token" }), lasting);
    });

    it("come from a profile of the AWS CLI otherwise", async () => {
        const env = withCli(
            `echo '{"Version":1,"AccessKeyId":"'"$AWS_PROFILE"'","SecretAccessKey":"key","SessionToken":"'"$*"'"}'`,
        );
        assert.deepEqual(await awsCredentials(env), {
            accessKeyId: "work",
            secretAccessKey: "key",
            sessionToken: "configure export-credentials --format process",
        });
    });

    it("are missing with a reason and a fix", async () => {
        const env = withCli("echo 'The SSO session has expired' >&2; exit 255");
        await assert.rejects(awsCredentials(env), /\(The SSO session has expired\): set AWS_ACCESS_KEY_ID and /);
        await assert.rejects(awsCredentials({ PATH: "" }), /\(the aws command was not found\): set /);
        await assert.rejects(awsCredentials(withCli("echo secret-half")), (error: Error) => {
            assert.doesNotMatch(error.message, /secret-half/);
            return true;
        });
    });
});
