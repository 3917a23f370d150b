import { ApiClient, type Call, type Credentials, readKubeconfig } from "./api-client";
import { ApiError, apiError } from "./api-error";

/**
 * A client of commands and of the stack, whose errors people read: they say what did not respond, and what answers in
 * place of the API. Agents do without, because user-data has little room for their programs.
 */
export class CheckedClient extends ApiClient {
    constructor(
        private readonly address: string,
        readCredentials: () => Credentials,
        userAgent: string,
    ) {
        super(address, readCredentials, userAgent);
    }

    override async call<T>(path: string, call: Call = {}): Promise<T> {
        const result = await super.call<T>(path, call).catch((error: Error) => {
            throw this.#explained(error, call.timeoutMilliseconds);
        });
        if (typeof result === "object" || !isObject.test(path)) return result;
        throw apiError(200, `not an object of Kubernetes: ${withoutHtml(String(result)) || "nothing"}`);
    }

    #explained(error: Error, milliseconds = 10_000): Error {
        if (error instanceof SyntaxError) return apiError(200, "not an object of Kubernetes: a part of one");
        if (error instanceof ApiError) error.message = withoutHtml(error.message);
        if (error.name === "AbortError" || error.name === "TimeoutError") {
            error.name = "TimeoutError";
            error.message = `${this.address} did not respond within ${milliseconds / 1000} s`;
        }
        // OpenSSL's messages, such as `no start line`, do not say what they are about.
        if (`${(error as { code?: unknown }).code}`.startsWith("ERR_OSSL_")) {
            error.message = `the kubeconfig's client certificate and its key cannot be used: ${error.message}`;
        }
        // Node's message for a connection that ends early.
        if (error.message === "aborted") error.message = `${this.address} closed the connection during its response`;
        return error;
    }
}

const isObject = /^\/apis?\/(?!.*(\/proxy\/|\/pods\/[^/]+\/log(\?|$)))/;

/** The text of a proxy's page. */
function withoutHtml(text: string): string {
    return /<html/i.test(text) ? text.replaceAll(/(<[^>]*>|\s)+/g, " ").trim() : text;
}

/** Acts with a kubeconfig as {@link readKubeconfig} reads it. */
export function withKubeconfig<T>(text: string, userAgent: string, act: (api: ApiClient) => Promise<T>): Promise<T> {
    const { server, credentials } = readKubeconfig(text);
    return new CheckedClient(server, () => credentials, userAgent).closeAfter(act);
}
