"""A reward function that calls math-verify in a thread, where its timeout cannot work."""

import logging
import threading

from math_verify import parse, verify


def reward() -> None:
    verify(parse("$1/2$"), parse("$0.5$"))


logging.basicConfig()
thread = threading.Thread(target=reward)
thread.start()
thread.join()
