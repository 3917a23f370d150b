import type { Api } from "../../services/service";
import type { Account } from "../account";
import { noWayTo } from "../way-to-service";

/**
 * Restricts an API to callers with a network path to it. On AWS other callers get no response; here they get an error
 * at once.
 */
export function reached({ hosts, answer }: Api<Account>): Api<Account> {
    return {
        hosts,
        answer(account, asked, who) {
            const why = noWayTo(account, asked.host, who);
            return why === undefined ? answer(account, asked, who) : { status: 504, body: `${why}\n` };
        },
    };
}
