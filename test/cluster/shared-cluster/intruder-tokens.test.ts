import { itLong } from "../../takes-long";
import { attacksWithToken } from "../intruder/with-a-token";
import { sharedAttacked } from "../shared";

attacksWithToken(sharedAttacked, itLong);
