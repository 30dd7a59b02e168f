/* A page that has moved: goes on to where it is now, with what stood behind ? and #. Without script the
   refresh of the page does it, and loses both. */

location.replace(document.currentScript.dataset.target + location.search + location.hash);
