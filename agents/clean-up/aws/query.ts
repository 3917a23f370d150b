import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type AwsCredentials, AwsRefusal, queryAws, serviceUrl } from "../../../clients/aws/query";
import { parseXml, type XmlElement } from "../../../clients/aws/xml";
import { NoAccess } from "../leftover";

const versions = {
    ec2: ["ec2", "2016-11-15"],
    classic: ["elasticloadbalancing", "2012-06-01"],
    network: ["elasticloadbalancing", "2015-12-01"],
    scaling: ["autoscaling", "2011-01-01"],
} as const;

/** Calls an AWS service and returns the response's root element. Throws the service's error if it refuses. */
export type AwsQuery = (
    service: keyof typeof versions,
    action: string,
    params?: Readonly<Record<string, string>>,
) => Promise<XmlElement>;

const usualTimeout = 30_000;

/**
 * @param endpoint - of all services, as AWS' own tools take it from AWS_ENDPOINT_URL. @default - AWS' own, of the
 * region
 * @param timeout - of each call, in milliseconds
 */
export function awsQuery(
    region: string,
    credentials: AwsCredentials,
    endpoint?: string,
    timeout = usualTimeout,
): AwsQuery {
    return async (name, Action, params = {}) => {
        const [service, Version] = versions[name];
        const url = endpoint?.replace(/\/+$/, "") || serviceUrl(service, region);
        const form = { Action, Version, ...params };
        const ask = () => queryAws({ url, service, region }, form, credentials, timeout);
        return parseXml(await patiently(ask));
    };
}

/** The same, with the credentials and the endpoint of the environment. */
export async function awsQueryHere(
    region: string,
    env: NodeJS.ProcessEnv = process.env,
    timeout = usualTimeout,
): Promise<AwsQuery> {
    return awsQuery(region, await awsCredentials(env, timeout), env.AWS_ENDPOINT_URL, timeout);
}

/** Errors that pass by themselves. Source: "Retry behavior" of AWS' SDKs. */
const isPassing =
    /^(RequestLimitExceeded|Throttling|ThrottlingException|TooManyRequests|Unavailable|ServiceUnavailable)\b/;

const attempts = 8;

/** Repeats a call that a service refuses for now: 0.25 s later, then after up to twice as long each time, as SDKs do. */
async function patiently<T>(call: () => Promise<T>, attempt = 1): Promise<T> {
    try {
        return await call();
    } catch (error) {
        if (attempt === attempts || !(error instanceof AwsRefusal && isPassing.test(error.why))) throw error;
        // Random, so that calls that were refused together are not repeated together.
        await sleep(250 * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
        return patiently(call, attempt + 1);
    }
}

const run = promisify(execFile);

const howTo =
    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install the AWS CLI (2.9 or newer), which supports profiles and SSO (AWS_PROFILE)";

/**
 * Credentials from the environment, where Pulumi's provider finds them, or from the AWS CLI, which supports profiles,
 * SSO and roles.
 */
export async function awsCredentials(
    env: NodeJS.ProcessEnv = process.env,
    timeout = usualTimeout,
): Promise<AwsCredentials> {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
    if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, ...(token && { sessionToken: token }) };
    try {
        const { stdout } = await run("aws", ["configure", "export-credentials", "--format", "process"], {
            env,
            timeout,
        });
        const { AccessKeyId, SecretAccessKey, SessionToken } = JSON.parse(stdout);
        return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    } catch (error) {
        // Its output may contain part of a secret.
        const { code, stderr } = error as { code?: unknown; stderr?: string };
        const why = code === "ENOENT" ? "the aws command was not found" : stderr?.trim() || "aws returned none";
        throw new NoAccess(`no AWS credentials were found (${why}): ${howTo}`);
    }
}
