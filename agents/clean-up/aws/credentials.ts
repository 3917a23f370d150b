import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { AwsCredentials } from "../../common/aws-signature";
import { NoAccess } from "../leftover";

const run = promisify(execFile);

const howTo =
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install AWS' CLI (2.9 or newer), which knows profiles and sign-ons (AWS_PROFILE)";

/** Those of the environment, as Pulumi's provider finds them, or what AWS' own CLI makes of profiles, sign-ons and roles. */
export async function awsCredentials(env: NodeJS.ProcessEnv = process.env): Promise<AwsCredentials> {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
    if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(token && { sessionToken: token }) };
    try {
        const { stdout } = await run("aws", ["configure", "export-credentials", "--format", "process"], {
            env,
            timeout: 30_000,
        });
        const { AccessKeyId, SecretAccessKey, SessionToken } = JSON.parse(stdout);
        return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    } catch (error) {
        // What it printed may be half a secret.
        const { code, stderr } = error as { code?: unknown; stderr?: string };
        const why = code === "ENOENT" ? "there is no program aws" : stderr?.trim() || "aws told none";
        throw new NoAccess(`no credentials of AWS were found (${why}): ${howTo}`);
    }
}
