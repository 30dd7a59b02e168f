"""A page under watch: what a reader's browser would complain about, and what it asks of other hosts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request, Response

LOCAL = {"about", "blob", "chrome", "data"}
"""Schemes of addresses that are on no host."""
POLICY_ISSUE = "contentSecurityPolicyIssueDetails"


class Watch:
    """Notes the faults of a page, over all the addresses it goes to, in ``found``."""

    def __init__(self, page: Page, site: str) -> None:
        self.found: list[str] = []
        self._page, self._origin = page, urlsplit(site)[:2]
        self._missing: set[str] = set()
        page.on("console", self._console)
        page.on("pageerror", self._page_error)
        page.on("request", self._request)
        page.on("requestfailed", self._request_failed)
        page.on("response", self._response)
        audits = page.context.new_cdp_session(page)
        audits.on("Audits.issueAdded", self._issue)
        audits.send("Audits.enable")

    def take(self) -> list[str]:
        """The faults so far, each once; from then on there are none."""
        found, self.found = list(dict.fromkeys(self.found)), []
        return found

    def close(self) -> list[str]:
        """Close the page with its browser context, and return its faults."""
        found = self.take()
        self._page.context.close()
        return found

    def _note(self, fault: str) -> None:
        self.found.append(f"{self._page.url}: {fault}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and message.location.get("url") not in self._missing:
            self._note(f"console: {message.text}")

    def _page_error(self, error: Error) -> None:
        self._note(f"script: {error.message}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts[:2] != self._origin and parts.scheme not in LOCAL:
            self._note(f"asks another origin: {request.url}")

    def _request_failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left
            self._note(f"{request.failure}: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status < 400:
            return
        if response.request.is_navigation_request():
            self._missing.add(response.url)  # a test that asks for such a page means it
        else:
            self._note(f"{response.status}: {response.url}")

    def _issue(self, event: Mapping[str, Any]) -> None:
        details = event["issue"]["details"].get(POLICY_ISSUE)
        if details:
            place = details.get("sourceCodeLocation") or {}
            self._note(
                f"policy: {details['violatedDirective']} {details['contentSecurityPolicyViolationType']}"
                f" {details.get('blockedURL', '')} {place.get('url', '')}:{place.get('lineNumber', '')}"
            )
