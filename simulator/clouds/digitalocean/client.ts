import { met } from "../shared/behaviours";
import type { Account } from "./account";

/**
 * The provider's HTTP client. Source: `config.go` of the Terraform provider, with hashicorp/go-retryablehttp: it repeats
 * a request that is answered with 429 or 5xx up to `http_retry_max` times, after `Retry-After` if that is set.
 */
const retries = 4;

/** Seconds that a throttled answer asks to wait: added up in the account, not slept. */
const retryAfter = 60;

/** Makes a call of the service, which it may throttle. @throws the client's error after its last attempt */
export async function call<T>(account: Account, what: string, make: () => T | Promise<T>): Promise<T> {
    for (let attempt = 0; attempt <= retries; attempt++) {
        if (!account.throttles()) return make();
        met("throttling");
        if (attempt < retries) account.wait(retryAfter);
    }
    const said = "429 Too many requests";
    throw new Error(`${what}: ${said}, giving up after ${retries + 1} attempt(s)`);
}
