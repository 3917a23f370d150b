import type { OutgoingHttpHeaders, RequestOptions } from "node:http";
import { sign } from "aws4";

export interface AwsCredentials {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    /** Of those that end by themselves. */
    readonly sessionToken?: string;
}

/** A request's headers, and those by which a service of AWS knows whose it is: signature version 4. */
export function signedHeaders(
    request: RequestOptions & { readonly body?: string },
    scope: { readonly service: string; readonly region: string },
    credentials: AwsCredentials,
): OutgoingHttpHeaders {
    return sign({ ...request, ...scope } as Parameters<typeof sign>[0], credentials).headers as OutgoingHttpHeaders;
}
