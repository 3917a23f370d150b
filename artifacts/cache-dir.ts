import { homedir } from "node:os";
import { join } from "node:path";

/** Where everything fetched or built is kept: outside the checkout, shared by all clusters. */
export function cacheDir(): string {
    return process.env.TRADEWIND_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "tradewind");
}
