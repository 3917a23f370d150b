import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { awsCredentials } from "../../../../../agents/clean-up/aws/query";

describe("credentials of AWS on this computer", () => {
    const folder = mkdtempSync(join(tmpdir(), "tradewind-aws-"));
    after(() => rmSync(folder, { recursive: true }));

    /** Somebody's PATH, on which AWS' CLI does this. */
    const withCli = (script: string) => {
        writeFileSync(join(folder, "aws"), `#!/bin/sh\n${script}\n`);
        chmodSync(join(folder, "aws"), 0o700);
        return { PATH: [folder, "/bin", dirname(process.execPath)].join(":"), AWS_PROFILE: "work" };
    };

    it("are those of the environment", async () => {
        const env = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "key", PATH: "" };
        assert.deepEqual(await awsCredentials(env), { accessKeyId: "id", secretAccessKey: "key" });
        const lasting = { accessKeyId: "id", secretAccessKey: "key", sessionToken: "token" };
        assert.deepEqual(await awsCredentials({ ...env, AWS_SESSION_TOKEN: "token" }), lasting);
    });

    it("are otherwise what AWS' CLI makes of a profile", async () => {
        const env = withCli(
            `echo '{"Version":1,"AccessKeyId":"'"$AWS_PROFILE"'","SecretAccessKey":"key","SessionToken":"'"$*"'"}'`,
        );
        assert.deepEqual(await awsCredentials(env), {
            accessKeyId: "work",
            secretAccessKey: "key",
            sessionToken: "configure export-credentials --format process",
        });
    });

    it("are missing with its reason, and what to do", async () => {
        const env = withCli("echo 'The SSO session has expired' >&2; exit 255");
        await assert.rejects(awsCredentials(env), /\(The SSO session has expired\): set AWS_ACCESS_KEY_ID and /);
        await assert.rejects(awsCredentials({ PATH: "" }), /\(there is no program aws\): set /);
        await assert.rejects(awsCredentials(withCli("echo secret-half")), (error: Error) => {
            assert.doesNotMatch(error.message, /secret-half/);
            return true;
        });
    });
});
