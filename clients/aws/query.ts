import type { OutgoingHttpHeaders, RequestOptions } from "node:http";
import { sign } from "aws4";
import { ask } from "../http";
import { refusal } from "./xml";

/** An AWS service with a form-based (query) API. */
interface QueryService {
    /** URL without a path: `https://ec2.eu-central-1.amazonaws.com`. */
    readonly url: string;
    /** Service name in signatures: `ec2`. */
    readonly service: string;
    readonly region: string;
}

/** A request. */
export interface QueryForm {
    readonly Action: string;
    /** Version of the service's API. */
    readonly Version: string;
    readonly [parameter: string]: string;
}

/** EC2 filters, each with one value. */
export function filters(expected: Readonly<Record<string, string>>): Record<string, string> {
    const pairs = Object.entries(expected).flatMap(([name, value], index) => [
        [`Filter.${index + 1}.Name`, name],
        [`Filter.${index + 1}.Value.1`, value],
    ]);
    return Object.fromEntries(pairs);
}

/** A service refused a request. */
export class AwsRefusal extends Error {
    override readonly name = "AwsRefusal";

    /** @param why - `AccessDenied: User is not authorized` */
    constructor(
        what: string,
        readonly why: string,
    ) {
        super(`${what}: ${why}`);
    }
}

/** Source: "Amazon EC2 endpoints and quotas". */
export function serviceUrl(service: string, region: string): string {
    return `https://${service}.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}`;
}

/** Sends a signed form and resolves to the XML response. */
export async function queryAws(
    { url, service, region }: QueryService,
    form: QueryForm,
    credentials: AwsCredentials,
    timeoutMilliseconds?: number,
): Promise<string> {
    const { host } = new URL(url);
    const body = new URLSearchParams(form).toString();
    const request = {
        method: "POST",
        path: "/",
        headers: { host, "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
        body,
    };
    const headers = signedHeaders(request, { service, region }, credentials);
    const { status, text } = await ask(`${url}/`, { method: "POST", headers, body }, timeoutMilliseconds);
    if (status !== 200) throw new AwsRefusal(`${service} refuses ${form.Action}`, refusal(text));
    return text;
}

export interface AwsCredentials {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    /** Session token of temporary credentials. */
    readonly sessionToken?: string;
}

/** A request's headers, with an AWS Signature Version 4. */
export function signedHeaders(
    request: RequestOptions & { readonly body?: string },
    scope: { readonly service: string; readonly region: string },
    credentials: AwsCredentials,
): OutgoingHttpHeaders {
    return sign({ ...request, ...scope } as Parameters<typeof sign>[0], credentials).headers as OutgoingHttpHeaders;
}
